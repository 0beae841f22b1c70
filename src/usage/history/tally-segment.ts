import { readLines } from "../record/read-lines.ts";
import { type DayTally, parseHistoryLine } from "./day-tally.ts";
import { createEventTally } from "./tally-events.ts";

/** The days of one file of the history. Torn lines and garbage count for nothing. */
export async function tallySegment(file: string): Promise<readonly DayTally[]> {
  const tally = createEventTally();
  for await (const lines of readLines(file)) {
    for (const { text } of lines) {
      const event = parseHistoryLine(text);
      if (event !== undefined) tally.add(event);
    }
  }
  return tally.days();
}
