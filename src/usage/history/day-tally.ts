import { EVENT_TYPES, type UsageEventType } from "../events.ts";
import { parseObject } from "../record/event-line.ts";

export type Count = readonly [name: string, count: number];

/** What happened on one day, in numbers. Days can be added up, and a month of them is small. */
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

export interface Comment {
  readonly day: string;
  readonly useful: boolean;
  readonly text: string;
}

export interface ScriptTally {
  readonly skill: string;
  readonly file: string;
  readonly runs: number;
  readonly failures: number;
  /** How long runs took, in milliseconds: all of them, or evenly chosen ones where the history was compacted. */
  readonly durations: readonly number[];
}

/** One line of the history. */
export interface HistoryEvent {
  readonly type: UsageEventType;
  readonly day: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Undefined for a torn line, garbage, or an event of a version to come. */
export function parseHistoryLine(line: string): HistoryEvent | undefined {
  const { type, timestamp, data } = parseObject(line) ?? {};
  if (typeof type !== "string" || !TYPES.has(type) || typeof timestamp !== "string") return undefined;
  if (!/^\d{4}-\d\d-\d\dT/.test(timestamp) || Number.isNaN(Date.parse(timestamp))) return undefined;
  if (typeof data !== "object" || data === null) return undefined;
  const day = new Date(timestamp).toISOString().slice(0, 10);
  return { type: type as UsageEventType, day, data: data as Readonly<Record<string, unknown>> };
}
