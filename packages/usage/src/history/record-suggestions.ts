import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import path from "node:path";
import type { UsageEvent, UsageEvents } from "../events.ts";
import { historyFolder, monthFile } from "./month-file.ts";

/** The history stops growing there. */
const LARGEST_FILE = 64 * 1024 * 1024;

/**
 * Appends what a hook suggested to the usage history, with one synchronous write: the process of a hook ends at once. What the
 * prompt said is not recorded.
 */
export function recordSuggestions(
  ownFolder: string,
  suggestions: readonly { readonly name: string; readonly isNative: boolean }[],
  client: string,
  now: () => number,
): void {
  const folder = historyFolder(ownFolder);
  const timestamp = new Date(now()).toISOString();
  // No id: the event is never delivered, and node:crypto, which makes ids, takes a while to load.
  const lines = suggestions.map(({ name, isNative }) =>
    JSON.stringify({
      type: "skill_suggested",
      timestamp,
      data: { skill_path: name, client, native: isNative } satisfies UsageEvents["skill_suggested"],
    } satisfies Omit<UsageEvent, "server_id" | "event_id">),
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = openSync(path.join(folder, monthFile(now())), "a+", 0o600);
  try {
    const { size } = fstatSync(file);
    if (size > LARGEST_FILE) return;
    const last = Buffer.alloc(1);
    if (size > 0) readSync(file, last, 0, 1, size - 1);
    // A killed process may have left the file in the middle of a line.
    const start = size > 0 && last.toString() !== "\n" ? "\n" : "";
    writeSync(file, `${start}${lines.join("\n")}\n`);
  } finally {
    closeSync(file);
  }
}
