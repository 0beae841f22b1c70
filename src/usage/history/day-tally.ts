import { EVENT_TYPES, type UsageEventType } from "../events.ts";
import { parseLine, readLines } from "../record/event-file.ts";

export type Count = readonly [name: string, count: number];

/** The counts of one day. */
export interface DayTally {
  readonly day: string;
  readonly events: readonly Count[];
  /** How often each skill was served. */
  readonly skills: readonly Count[];
  readonly noMatch: readonly Count[];
  readonly ambiguous: readonly Count[];
  readonly feedback: readonly Feedback[];
  readonly scripts: readonly ScriptTally[];
  readonly failedRefreshes: number;
}

export interface Feedback {
  readonly skill: string;
  readonly useful: number;
  readonly notUseful: number;
  readonly comments: readonly Comment[];
}

interface Comment {
  readonly day: string;
  readonly useful: boolean;
  readonly text: string;
}

export interface ScriptTally {
  readonly skill: string;
  readonly file: string;
  readonly runs: number;
  readonly failures: number;
  /** Milliseconds of all runs, or of an even sample where the history was compacted. */
  readonly durations: readonly number[];
}

/** One line of the history. */
export interface HistoryEvent {
  readonly type: UsageEventType;
  readonly day: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);
const LONGEST_QUERY = 200;
const MOST = {
  skills: 200,
  queries: 100,
  skillsWithFeedback: 100,
  comments: 20,
  scripts: 100,
  durations: 31,
} as const;

/** The days of a file of events. Torn lines, garbage and events of later versions are skipped. */
export async function tallyFile(file: string): Promise<readonly DayTally[]> {
  const tally = createTally();
  for await (const lines of readLines(file)) {
    for (const { text } of lines) {
      const event = parseHistoryLine(text);
      if (event !== undefined) tally.add(event);
    }
  }
  return tally.days();
}

function parseHistoryLine(line: string): HistoryEvent | undefined {
  const { type, timestamp, data } = parseLine(line) ?? {};
  if (typeof type !== "string" || !TYPES.has(type) || typeof timestamp !== "string") return undefined;
  if (!/^\d{4}-\d\d-\d\dT/.test(timestamp) || Number.isNaN(Date.parse(timestamp))) return undefined;
  if (typeof data !== "object" || data === null) return undefined;
  const day = new Date(timestamp).toISOString().slice(0, 10);
  return { type: type as UsageEventType, day, data: data as Readonly<Record<string, unknown>> };
}

/** Adds up events by day, one at a time, because a whole month may not fit into memory. */
export function createTally() {
  const days = new Map<string, ReturnType<typeof createDayTally>>();
  return {
    add(event: HistoryEvent): void {
      const day = days.get(event.day) ?? createDayTally(event.day);
      days.set(event.day, day);
      day.add(event);
    },
    /** The days with at least one event, in order. */
    days: (): readonly DayTally[] =>
      [...days].sort(([a], [b]) => compare(a, b)).map(([, { tally }]) => tally()),
  };
}

function createDayTally(day: string) {
  const events = createCounter();
  const skills = createCounter();
  const noMatch = createCounter();
  const ambiguous = createCounter();
  const feedback = new Map<string, Feedback>();
  const scripts = new Map<string, ScriptTally>();
  let failedRefreshes = 0;
  return {
    add({ type, data }: HistoryEvent): void {
      events.add(type);
      const skill = textOf(data["skill_path"]);
      const key = JSON.stringify([skill, data["file"]]);
      if (type === "skill_served") skills.add(skill);
      else if (type === "no_match") noMatch.add(normalized(data["context"]));
      else if (type === "ambiguous") ambiguous.add(normalized(data["context"]));
      else if (type === "refresh" && data["success"] === false) failedRefreshes++;
      else if (type === "skill_feedback")
        feedback.set(skill, withFeedback(feedback.get(skill), skill, day, data));
      else if (type === "script_executed") scripts.set(key, withRun(scripts.get(key), skill, data));
    },
    tally: (): DayTally => ({
      day,
      events: events.counts(),
      skills: skills.counts(),
      noMatch: noMatch.counts(),
      ambiguous: ambiguous.counts(),
      feedback: [...feedback.values()],
      scripts: [...scripts.values()],
      failedRefreshes,
    }),
  };
}

type Data = HistoryEvent["data"];

function withFeedback(before: Feedback | undefined, skill: string, day: string, data: Data): Feedback {
  const useful = data["useful"] === true;
  const text = textOf(data["comment"]).trim();
  return {
    skill,
    useful: (before?.useful ?? 0) + (useful ? 1 : 0),
    notUseful: (before?.notUseful ?? 0) + (useful ? 0 : 1),
    comments: [...(before?.comments ?? []), ...(text === "" ? [] : [{ day, useful, text }])],
  };
}

function withRun(before: ScriptTally | undefined, skill: string, data: Data): ScriptTally {
  const took = data["duration_ms"];
  // Changed in place: a day may have tens of thousands of runs of one script, and the list is not shared yet.
  const durations = (before?.durations ?? []) as number[];
  if (typeof took === "number") durations.push(took);
  return {
    skill,
    file: textOf(data["file"]),
    runs: (before?.runs ?? 0) + 1,
    failures: (before?.failures ?? 0) + (data["success"] === true ? 0 : 1),
    durations,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Queries that differ only in white space or case count as one. */
function normalized(query: unknown): string {
  return textOf(query).trim().replace(/\s+/g, " ").toLowerCase().slice(0, LONGEST_QUERY);
}

/** Bounds the size of a day: the totals stay exact, the long tails are dropped. */
export function boundDay(day: DayTally): DayTally {
  return {
    ...day,
    skills: day.skills.slice(0, MOST.skills),
    noMatch: day.noMatch.slice(0, MOST.queries),
    ambiguous: day.ambiguous.slice(0, MOST.queries),
    feedback: day.feedback
      .slice(0, MOST.skillsWithFeedback)
      .map((feedback) => ({ ...feedback, comments: feedback.comments.slice(-MOST.comments) })),
    scripts: [...day.scripts]
      .sort(byRuns)
      .slice(0, MOST.scripts)
      .map((script) => ({ ...script, durations: evenSample(script.durations, MOST.durations) })),
  };
}

/** Evenly spaced values with the smallest and the largest among them, so their median is near the true one. */
export function evenSample(values: readonly number[], most: number): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length <= most) return sorted;
  const step = (sorted.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => sorted[Math.round(index * step)] ?? 0);
}

/** Counts names. They come from clients, so a map is used: a name such as `__proto__` is safe as its key. */
export function createCounter() {
  const totals = new Map<string, number>();
  return {
    add(name: string, count = 1): void {
      totals.set(name, (totals.get(name) ?? 0) + count);
    },
    /** Most first, then by name. */
    counts: (): readonly Count[] => [...totals].sort(([a, x], [b, y]) => y - x || compare(a, b)),
  };
}

type Runs = Pick<ScriptTally, "skill" | "file" | "runs">;

export const byRuns = (a: Runs, b: Runs): number =>
  b.runs - a.runs || compare(a.skill, b.skill) || compare(a.file, b.file);

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
