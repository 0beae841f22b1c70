import { defined } from "#util/pure";
import type { UsageStep } from "../events.ts";
import type { SuggestionTally } from "./suggestion-tally.ts";

export type Count = readonly [name: string, count: number];

/** The counts of one day. */
export interface DayTally {
  readonly day: string;
  readonly events: readonly Count[];
  /** How often each skill was served. */
  readonly skills: readonly Count[];
  /** Searches that found nothing. */
  readonly noMatch: readonly Count[];
  readonly ambiguous: readonly Count[];
  readonly feedback: readonly SkillFeedback[];
  readonly scripts: readonly ScriptTally[];
  readonly failedRefreshes: number;
  /** Absent in counts of earlier versions, and where there were none. */
  readonly suggestions?: readonly SuggestionTally[];
  // Absent in counts of earlier versions.
  /** How often each skill was among the results of a search. */
  readonly found?: readonly Count[];
  /** Names that no skill has. Earlier versions count them among the searches. */
  readonly unknownNames?: readonly Count[];
  readonly searched?: number;
  readonly clients?: readonly GroupTally[];
  /** Absent in counts of old months too. */
  readonly callers?: readonly GroupTally[];
}

/** What one client or caller did on a day. */
export interface GroupTally extends Readonly<Record<UsageStep, number>> {
  readonly name: string;
  /** The skills that it loaded. */
  readonly skills: readonly Count[];
  /** Of a client. */
  readonly versions: readonly Count[];
}

export interface SkillFeedback {
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

const MOST = {
  skills: 200,
  suggestions: 200,
  queries: 100,
  skillsWithFeedback: 100,
  comments: 20,
  scripts: 100,
  durations: 31,
  clients: 50,
  skillsOfClient: 50,
  versions: 20,
} as const;

/** Bounds the size of a day: the totals stay exact, the long tails are dropped, and so is who did what. */
export function boundDay(day: DayTally): DayTally {
  return {
    ...day,
    callers: [],
    ...defined({
      found: day.found?.slice(0, MOST.skills),
      unknownNames: day.unknownNames?.slice(0, MOST.queries),
      clients: day.clients?.slice(0, MOST.clients).map(boundGroup),
      suggestions: day.suggestions?.slice(0, MOST.suggestions),
    }),
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

function boundGroup(group: GroupTally): GroupTally {
  return {
    ...group,
    skills: group.skills.slice(0, MOST.skillsOfClient),
    versions: group.versions.slice(0, MOST.versions),
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
