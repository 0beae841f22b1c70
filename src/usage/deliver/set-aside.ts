import { open } from "node:fs/promises";
import path from "node:path";
import { endTornLine, writeAll } from "../record/append-lines.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/** Where events go that an endpoint refuses for good: a person can look at them, and nothing sends them again. */
export function asideFile(folder: string): string {
  return path.join(folder, "analytics-refused.jsonl");
}

/** False when the file is full. */
export async function setAside(folder: string, lines: readonly string[]): Promise<boolean> {
  const handle = await open(asideFile(folder), "a+", 0o600);
  try {
    if ((await handle.stat()).size > MOST_BYTES) return false;
    await endTornLine(handle);
    await writeAll(handle, Buffer.from(lines.map((line) => `${line}\n`).join("")));
    await handle.datasync();
    return true;
  } finally {
    await handle.close();
  }
}
