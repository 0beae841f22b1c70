import { type Counter, declarationOf, type Note } from "../events.ts";
import type { DayTally } from "../history/day-tally.ts";
import { daysBetween, type Span } from "../history/summarise.ts";
import { countersOf, fieldOf, type HistoryEvent, noteOf, tallyCounters } from "../history/tally-counters.ts";
import { historyEvent } from "../history/tally-events.ts";
import { parseLine } from "../record/event-writer.ts";
import { pseudonymOf, type QueryText, readSalt, writeSalt } from "../record/query-text.ts";

/** Usage of all replicas, in the Redis that they share. */
export interface FleetUsage {
  readonly log: SharedLog;
  /** The key of digests that all replicas have in common. */
  readonly salt: () => Promise<string>;
  /** The counts of one caller or of all. Rejects when Redis does not answer. */
  readonly days: (span: Span, caller?: string) => Promise<readonly DayTally[]>;
  readonly close: () => void;
}

/** `callerAs` is how events in the log name callers. `onConnect` calls back when Redis was replaced, and returns how to stop. */
export function createFleetUsage(
  log: FleetLog,
  ownFolder: string,
  callerAs: QueryText,
  onConnect: (listener: () => void) => () => void,
): FleetUsage {
  const { salt, close } = createFleetSalt(log, ownFolder, onConnect);
  return {
    log,
    salt,
    async days(span, caller) {
      const days = daysBetween(span.since, span.until);
      if (caller === undefined) return readFleetDays(log, days);
      // Nobody knows whose events they were.
      if (callerAs === "off") return [];
      return readFleetDays(log, days, callerAs === "full" ? caller : pseudonymOf(caller, await salt()));
    },
    close,
  };
}

/**
 * The key of digests that all replicas have in common: the first one's. Each stores it as its own, so that an outage changes
 * nothing, and suggests it again to a Redis that has lost it.
 */
function createFleetSalt(log: FleetLog, ownFolder: string, onConnect: (listener: () => void) => () => void) {
  let agreed: Promise<string> | undefined;
  async function agree(): Promise<string> {
    const own = await readSalt(ownFolder);
    const common = await log.agreeOn("salt", own);
    if (common !== own) await writeSalt(ownFolder, common);
    return common;
  }
  const close = onConnect(() => {
    agreed = undefined;
  });
  return {
    async salt(): Promise<string> {
      agreed ??= agree();
      try {
        return await agreed;
      } catch {
        agreed = undefined;
        return readSalt(ownFolder);
      }
    },
    close,
  };
}

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
async function readFleetDays(
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

/** The log that replicas of a server share, in front of the endpoint. Everything rejects while it cannot be reached. */
export interface SharedLog {
  /** Whether calls would be rejected now. */
  isAway(): boolean;
  /** Adds lines and counts, once for each key of a batch; `full` when too many lines wait. */
  add(batch: string, lines: readonly string[], counts: readonly LogCounts[]): Promise<Receipt | "full">;
  /** The epoch now, empty when there is no log, and the oldest entry that is not delivered, empty when there is none. */
  status(): Promise<{ readonly epoch: string; readonly first: string }>;
  /** Entries that this replica is to deliver: those of dead replicas, then new ones. */
  read(most: number): Promise<readonly LogEntry[]>;
  /** Shows the others that this replica still tries to deliver these. */
  hold(ids: readonly string[]): Promise<void>;
  /** Removes entries that were delivered. */
  done(ids: readonly string[]): Promise<void>;
}

/** The log with the counts beside it. */
export interface FleetLog extends SharedLog {
  /** The counts under names, as they are now. */
  counts(names: readonly string[]): Promise<readonly ReadonlyMap<string, number>[]>;
  lines(names: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** A text that all replicas have in common: the first that was suggested. */
  agreeOn(name: string, suggestion: string): Promise<string>;
}

/** Where events are in the log. In another epoch the log may have lost them. */
export interface Receipt {
  readonly epoch: string;
  /** The id of the last one; empty when there is none. */
  readonly last: string;
}

export interface LogEntry {
  readonly id: string;
  readonly text: string;
}

/** Counts that belong to a batch: fields of a hash, or lines of a list, under a name. */
type LogCounts =
  | { readonly name: string; readonly most: number; readonly fields: ReadonlyMap<string, number> }
  | { readonly name: string; readonly most: number; readonly lines: readonly string[] };
