import path from "node:path";

export function historyFolder(folder: string): string {
  return path.join(folder, "usage");
}

/** `2026-11` for a time in November 2026. Months are UTC months, so that no file depends on the time zone. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

/** The file with a month's events, one per line. */
export function monthFile(time: number): string {
  return `${monthOf(time)}.jsonl`;
}
