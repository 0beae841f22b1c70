import {
  byRuns,
  type Count,
  compare,
  createCounter,
  type DayTally,
  type Feedback,
  type ScriptTally,
} from "./day-tally.ts";

/** What was used and what was missing in a span of days. */
export interface UsageSummary extends Span {
  readonly totals: Totals;
  /** Every day of the span, also those without events. */
  readonly days: readonly (Totals & { readonly day: string })[];
  readonly mostUsed: readonly SkillUse[];
  readonly neverUsed: readonly string[];
  readonly noMatch: readonly QueryCount[];
  readonly ambiguous: readonly QueryCount[];
  readonly feedback: readonly Feedback[];
  readonly scripts: readonly ScriptUse[];
}

interface Totals {
  readonly events: number;
  readonly served: number;
  readonly assets: number;
  readonly scripts: number;
  readonly noMatch: number;
  readonly ambiguous: number;
  /** Scripts and refreshes that failed. */
  readonly errors: number;
}

interface SkillUse {
  readonly skill: string;
  readonly count: number;
  /** One number for each of `days`. */
  readonly perDay: readonly number[];
}

interface QueryCount {
  readonly query: string;
  readonly count: number;
}

type ScriptUse = Omit<ScriptTally, "durations"> & { readonly p50Ms: number | undefined };

/** UTC days, both inclusive. */
export interface Span {
  readonly since: string;
  readonly until: string;
}

/** Adds up the days of a span. A day may come in several parts. */
export function summarise(
  tallies: readonly DayTally[],
  { since, until }: Span,
  knownSkills: readonly string[],
): UsageSummary {
  const within = tallies.filter(({ day }) => day >= since && day <= until);
  const calendar = daysBetween(since, until);
  const indexOf = new Map(calendar.map((day, index) => [day, index]));
  const days = calendar.map((day) => ({ day, ...totalsOf(within.filter((tally) => tally.day === day)) }));
  const perDay = new Map<string, number[]>();
  for (const { day, skills } of within) {
    for (const [skill, count] of skills) {
      const counts = perDay.get(skill) ?? calendar.map(() => 0);
      const index = indexOf.get(day) ?? 0;
      counts[index] = (counts[index] ?? 0) + count;
      perDay.set(skill, counts);
    }
  }
  const used = addUp(within.flatMap(({ skills }) => skills));
  return {
    since,
    until,
    totals: totalsOf(within),
    days,
    mostUsed: used.map(([skill, count]) => ({ skill, count, perDay: perDay.get(skill) ?? [] })),
    neverUsed: [...new Set(knownSkills)].filter((name) => !perDay.has(name)).sort(compare),
    noMatch: queries(within.flatMap(({ noMatch }) => noMatch)),
    ambiguous: queries(within.flatMap(({ ambiguous }) => ambiguous)),
    feedback: feedbackOf(within.flatMap(({ feedback }) => feedback)),
    scripts: scriptsOf(within.flatMap(({ scripts }) => scripts)),
  };
}

function totalsOf(tallies: readonly DayTally[]): Totals {
  const events = new Map(addUp(tallies.flatMap((tally) => tally.events)));
  const failedRuns = sum(tallies.flatMap(({ scripts }) => scripts.map(({ failures }) => failures)));
  return {
    events: sum([...events.values()]),
    served: events.get("skill_served") ?? 0,
    assets: events.get("asset_served") ?? 0,
    scripts: events.get("script_executed") ?? 0,
    noMatch: events.get("no_match") ?? 0,
    ambiguous: events.get("ambiguous") ?? 0,
    errors: failedRuns + sum(tallies.map(({ failedRefreshes }) => failedRefreshes)),
  };
}

function addUp(counts: readonly Count[]): readonly Count[] {
  const counter = createCounter();
  for (const [name, count] of counts) counter.add(name, count);
  return counter.counts();
}

function queries(counts: readonly Count[]): readonly QueryCount[] {
  return addUp(counts).map(([query, count]) => ({ query, count }));
}

/** Most negative feedback first: that is what someone can improve. */
function feedbackOf(parts: readonly Feedback[]): readonly Feedback[] {
  return [...groupBy(parts, ({ skill }) => skill)]
    .map(([skill, group]) => ({
      skill,
      useful: sum(group.map((part) => part.useful)),
      notUseful: sum(group.map((part) => part.notUseful)),
      comments: group.flatMap((part) => part.comments).sort((a, b) => compare(b.day, a.day)),
    }))
    .sort((a, b) => b.notUseful - a.notUseful || b.useful - a.useful || compare(a.skill, b.skill));
}

function scriptsOf(parts: readonly ScriptTally[]): readonly ScriptUse[] {
  return [...groupBy(parts, ({ skill, file }) => JSON.stringify([skill, file])).values()]
    .map((group): ScriptUse => {
      const { skill, file } = group[0] as ScriptTally;
      return {
        skill,
        file,
        runs: sum(group.map((part) => part.runs)),
        failures: sum(group.map((part) => part.failures)),
        p50Ms: median(group.flatMap((part) => part.durations)),
      };
    })
    .sort(byRuns);
}

function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length / 2) - 1];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const DAY_MS = 24 * 60 * 60_000;

function daysBetween(since: string, until: string): readonly string[] {
  const first = Date.parse(since);
  const count = Math.max(0, Math.round((Date.parse(until) - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}
