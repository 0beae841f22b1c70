import path from "node:path";
import { fileURLToPath } from "node:url";

const FLOOR = path.join(path.dirname(fileURLToPath(import.meta.url)), "floor");

/** What Node is given to start each server. */
export const BARE_SERVER: readonly string[] = [path.join(FLOOR, "bare-server.mjs")];
export const EMPTY_SDK_SERVER: readonly string[] = [path.join(FLOOR, "empty-sdk-server.mjs")];

export function ourServer(bin: string, skillDir: string): readonly string[] {
  return [bin, "mcp", "--skill-dir", skillDir];
}
