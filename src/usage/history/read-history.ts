import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { array, boolean, literal, number, object, string, tuple } from "zod";
import type { DayTally } from "./day-tally.ts";
import { dailyOf, historyFile, historyFolder } from "./history-files.ts";
import { tallySegment } from "./tally-segment.ts";

/** What happened from a day on, day by day. A day may come in several parts. What cannot be read counts for nothing. */
export async function readHistory(folder: string, since: string): Promise<readonly DayTally[]> {
  const target = historyFolder(folder);
  const names = new Set(await readdir(target).catch(() => []));
  const tallies: DayTally[] = [];
  for (const name of [...names].sort()) {
    const file = historyFile(name);
    // An event just before midnight may be in the next month's file, but never in an earlier one.
    if (file === undefined || file.month < since.slice(0, 7)) continue;
    const isCounted = file.kind === "events" && names.has(dailyOf(file.month));
    if (isCounted) continue;
    const read = file.kind === "daily" ? readDaily : tallySegment;
    tallies.push(...(await read(path.join(target, name)).catch(() => [])));
  }
  return tallies.filter(({ day }) => day >= since);
}

const COUNTS = array(tuple([string(), number()]));
const DAILY = object({
  version: literal(1),
  days: array(
    object({
      day: string().regex(/^\d{4}-\d\d-\d\d$/),
      events: COUNTS,
      skills: COUNTS,
      noMatch: COUNTS,
      ambiguous: COUNTS,
      feedback: array(
        object({
          skill: string(),
          useful: number(),
          notUseful: number(),
          comments: array(object({ day: string(), useful: boolean(), text: string() })),
        }),
      ),
      scripts: array(
        object({
          skill: string(),
          file: string(),
          runs: number(),
          failures: number(),
          durations: array(number()),
        }),
      ),
      failedRefreshes: number(),
    }),
  ),
});

async function readDaily(file: string): Promise<readonly DayTally[]> {
  return DAILY.parse(JSON.parse(await readFile(file, "utf8"))).days;
}
