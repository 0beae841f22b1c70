import path from "node:path";
import { fileURLToPath } from "node:url";

const FLOOR = path.join(path.dirname(fileURLToPath(import.meta.url)), "floor");

/** What Node is given to start each server. */
export const BARE_SERVER: readonly string[] = [path.join(FLOOR, "bare-server.mjs")];
export const EMPTY_SDK_SERVER: readonly string[] = [path.join(FLOOR, "empty-sdk-server.mjs")];

export const BARE_NAME = "bare Node server";
export const EMPTY_SDK_NAME = "empty SDK server";

/** Ways to read heads with plain `fs`; `found` searches for the files, the others know where they are. */
export type HeadsWay = "found" | "promises" | "callbacks" | "sync";

/** A bare server that reads the head of every skill before it answers `tools/list`. */
export function headsServer(skillDir: string, way: HeadsWay): readonly string[] {
  return [path.join(FLOOR, "heads-server.mjs"), skillDir, way];
}

export function ourServer(bin: string, skillDir: string): readonly string[] {
  return [bin, "mcp", "--skill-dir", skillDir];
}

/** Starts skills-mcp so that it also tells the size of its heap (floor/heap-server.cjs). */
export function withHeapProbe(args: readonly string[]): readonly string[] {
  return [path.join(FLOOR, "heap-server.cjs"), ...args];
}
