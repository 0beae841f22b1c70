import type { Counter, Note } from "../declare-event.ts";
import { declarationOf } from "../events.ts";
import { countersOf, fieldOf, type HistoryEvent, noteOf } from "../history/counters.ts";
import type { DayTally } from "../history/day-tally.ts";
import { tallyCounters } from "../history/tally-counters.ts";
import { historyEvent } from "../history/tally-events.ts";
import { parseLine } from "../record/json-lines.ts";
import type { FleetLog, LogCounts } from "./shared-log.ts";

/**
 * The hashes of a day, by what clients can fill with names of their own: those of skills and callers are limited by who runs the
 * server, what was searched and how clients call themselves is not, and must not push the others out.
 */
const HASHES = { counts: 5_000, searches: 1_000, clients: 1_000 } as const;
type Hash = keyof typeof HASHES;
/** Comments, and how long scripts took. */
const MOST_NOTES = 1_000;

/** What a batch of lines adds: the events that an endpoint gets, and the counts of their days, of all and of each caller. */
export function batchOf(lines: readonly string[]): {
  readonly deliverable: readonly string[];
  readonly counts: readonly LogCounts[];
} {
  const deliverable: string[] = [];
  const fields = new Map<string, { readonly most: number; readonly counts: Map<string, number> }>();
  const notes = new Map<string, string[]>();
  for (const line of lines) {
    const event = historyEvent(parseLine(line) ?? {});
    // An event of a later version is not for this one to count or to lose.
    if (event === undefined || declarationOf(event.type).delivered) deliverable.push(line);
    if (event === undefined) continue;
    for (const whose of scopesOf(event)) {
      for (const counter of countersOf(event).filter(hasName)) {
        const hash = hashOf(counter);
        const name = nameOf(event.day, hash, whose);
        const group = fields.get(name) ?? { most: HASHES[hash], counts: new Map<string, number>() };
        fields.set(name, group);
        const field = fieldOf(counter);
        group.counts.set(field, (group.counts.get(field) ?? 0) + 1);
      }
      const note = noteOf(event);
      const name = nameOf(event.day, "notes", whose);
      if (note !== undefined) notes.set(name, [...(notes.get(name) ?? []), JSON.stringify(note)]);
    }
  }
  return {
    deliverable,
    counts: [
      ...[...fields].map(([name, { most, counts }]) => ({ name, most, fields: counts })),
      ...[...notes].map(([name, list]) => ({ name, most: MOST_NOTES, lines: list })),
    ],
  };
}

const EVERYONE = "";

function scopesOf({ caller }: HistoryEvent): readonly string[] {
  return typeof caller === "string" && caller !== "" ? [EVERYONE, caller] : [EVERYONE];
}

/** Of a text that may not leave the machine, only the event is counted. */
function hasName(counter: Counter): boolean {
  return counter.length === 1 || counter[1] !== "";
}

function hashOf([kind]: Counter): Hash {
  if (kind === "no_match" || kind === "unknown_name" || kind === "ambiguous") return "searches";
  return kind === "client" || kind === "client_skill" || kind === "client_version" ? "clients" : "counts";
}

function nameOf(day: string, what: Hash | "notes", whose: string): string {
  return `${what}:${day}${whose === EVERYONE ? "" : `:${whose}`}`;
}

/** The counts of days, of one caller or of all. */
export async function readFleetDays(
  log: Pick<FleetLog, "counts" | "lines">,
  days: readonly string[],
  caller?: string,
): Promise<readonly DayTally[]> {
  const hashes = Object.keys(HASHES) as readonly Hash[];
  const tallies: DayTally[] = [];
  // A few days at a time: each answer has to come within a time-out, and a year has many days.
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE) {
    const some = days.slice(from, from + DAYS_AT_ONCE).map(async (day) => {
      const names = hashes.map((hash) => nameOf(day, hash, caller ?? EVERYONE));
      const [parts, [notes = []]] = await Promise.all([
        log.counts(names),
        log.lines([nameOf(day, "notes", caller ?? EVERYONE)]),
      ]);
      return tallyCounters(day, new Map(parts.flatMap((part) => [...part])), notes.flatMap(parseNote));
    });
    tallies.push(...(await Promise.all(some)));
  }
  return tallies.filter(({ events }) => events.length > 0);
}

const DAYS_AT_ONCE = 8;

function parseNote(line: string): readonly Note[] {
  const note = parseLine(line);
  return note === undefined ? [] : [note as unknown as Note];
}
