import { isEventType, type Note } from "../events.ts";
import { parseLine, readLines } from "../record/event-writer.ts";
import { textOf } from "../stored-values.ts";
import { compare, type DayTally } from "./day-tally.ts";
import { createSuggestionTally } from "./suggestion-tally.ts";
import { countersOf, fieldOf, type HistoryEvent, noteOf, tallyCounters } from "./tally-counters.ts";

/**
 * The days of a file of events, of one caller or of all. Torn lines, garbage and events of later versions are skipped.
 */
export async function tallyFile(file: string, caller?: string): Promise<readonly DayTally[]> {
  const tally = createTally();
  for await (const lines of readLines(file)) {
    for (const { text } of lines) {
      const event = parseHistoryLine(text);
      if (event !== undefined && (caller === undefined || event.caller === caller)) tally.add(event);
    }
  }
  return tally.days();
}

function parseHistoryLine(line: string): HistoryEvent | undefined {
  return historyEvent(parseLine(line) ?? {});
}

/** Undefined for what is not an event, and for events of later versions. */
export function historyEvent(line: Readonly<Record<string, unknown>>): HistoryEvent | undefined {
  const { type, timestamp, data, client, caller } = line;
  if (!isEventType(type) || typeof timestamp !== "string") return undefined;
  if (!/^\d{4}-\d\d-\d\dT/.test(timestamp) || Number.isNaN(Date.parse(timestamp))) return undefined;
  if (typeof data !== "object" || data === null) return undefined;
  const time = Date.parse(timestamp);
  const day = new Date(time).toISOString().slice(0, 10);
  const fields = data as Readonly<Record<string, unknown>>;
  return { type, day, time, data: fields, client, caller };
}

/** Adds up events by day, one at a time, because a whole month may not fit into memory. */
export function createTally() {
  const days = new Map<string, ReturnType<typeof createDayTally>>();
  const suggestions = createSuggestionTally();
  return {
    add(event: HistoryEvent): void {
      const day = days.get(event.day) ?? createDayTally(event.day);
      days.set(event.day, day);
      day.add(event);
      const skill = textOf(event.data["skill_path"]);
      if (event.type === "skill_suggested")
        suggestions.suggested(skill, event, event.data["native"] === true);
      else if (event.type === "skill_served") suggestions.loaded(skill, event.time);
    },
    /** The days with at least one event, in order. */
    days: (): readonly DayTally[] =>
      [...days]
        .sort(([a], [b]) => compare(a, b))
        .map(([day, { tally }]) => {
          const ofDay = suggestions.ofDay(day);
          return ofDay.length === 0 ? tally() : { ...tally(), suggestions: ofDay };
        }),
  };
}

function createDayTally(day: string) {
  const fields = new Map<string, number>();
  const notes: Note[] = [];
  return {
    add(event: HistoryEvent): void {
      for (const counter of countersOf(event)) {
        const field = fieldOf(counter);
        fields.set(field, (fields.get(field) ?? 0) + 1);
      }
      const note = noteOf(event);
      if (note !== undefined) notes.push(note);
    },
    tally: (): DayTally => tallyCounters(day, fields, notes),
  };
}
