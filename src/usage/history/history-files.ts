import path from "node:path";

export function historyFolder(folder: string): string {
  return path.join(folder, "usage");
}

/** `2026-11` for a time in November 2026. Days and months are those of UTC, so that no file depends on where one is. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** The events of the month of a time, one a line. */
export function segmentOf(time: number): string {
  return `${monthOf(time)}.jsonl`;
}

/** The counts of a month's days. Once it is there, the month's events are in it. */
export function dailyOf(month: string): string {
  return `${month}.daily.json`;
}

export type HistoryFile = { readonly month: string; readonly kind: "events" | "daily" };

export function historyFile(name: string): HistoryFile | undefined {
  const found = /^(\d{4}-(?:0[1-9]|1[0-2]))\.(jsonl|daily\.json)$/.exec(name);
  if (found === null) return undefined;
  return { month: found[1] ?? "", kind: found[2] === "jsonl" ? "events" : "daily" };
}
