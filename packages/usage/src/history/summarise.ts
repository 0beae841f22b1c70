import {
  byRuns,
  type Count,
  compare,
  type DayTally,
  type ScriptTally,
  type SkillFeedback,
} from "./day-tally.ts";
import {
  addUp,
  type ClientUse,
  type Funnel,
  funnelOf,
  type GroupUse,
  groupBy,
  groupsOf,
  type SkillFunnel,
  sum,
} from "./funnel.ts";
import { type SuggestionTally, sumSuggestions } from "./suggestion-tally.ts";

/** What was used and what was missing in a span of days. */
export interface UsageSummary extends Span {
  /** Present when it is the usage of all replicas, and not of this machine alone. */
  readonly scope?: "fleet";
  readonly totals: UsageCounts;
  /** Every day of the span, also those without events. */
  readonly days: readonly (UsageCounts & { readonly day: string })[];
  readonly mostUsed: readonly SkillCounts[];
  /** Skills that nobody loaded, and that no agent reads by itself. */
  readonly neverUsed: readonly string[];
  /** Skills that nobody loaded through a server, and that an agent reads by itself: whether they are used is not known. */
  readonly readByAgents: readonly string[];
  /** What hooks suggested, and what became of it. */
  readonly suggestions: readonly SuggestedSkill[];
  /** Searches that found nothing, and names that no skill has. */
  readonly noMatch: readonly Unmatched[];
  readonly ambiguous: readonly QueryCount[];
  readonly feedback: readonly SkillFeedback[];
  readonly scripts: readonly ScriptUse[];
  readonly funnel: Funnel;
  /** Every skill of which there is something to say. */
  readonly skills: readonly SkillFunnel[];
  readonly clients: readonly ClientUse[];
  /** Those who authenticated. Old months do not say who they were. */
  readonly callers: readonly GroupUse[];
}

interface SuggestedSkill extends SuggestionTally {
  /** Suggested and not loaded, as far as that can be seen. */
  readonly ignored: number;
}

interface UsageCounts {
  readonly events: number;
  readonly suggested: number;
  readonly searched: number;
  readonly served: number;
  readonly assets: number;
  readonly scripts: number;
  readonly noMatch: number;
  readonly ambiguous: number;
  /** Scripts and refreshes that failed. */
  readonly errors: number;
}

interface SkillCounts {
  readonly skill: string;
  readonly count: number;
  /** One number for each of `days`. */
  readonly perDay: readonly number[];
}

interface QueryCount {
  readonly query: string;
  readonly count: number;
}

interface Unmatched extends QueryCount {
  /** Whether a task was described, or a skill called by its name. */
  readonly kind: "search" | "name";
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
  isReadByAgents: (skill: string) => boolean = () => false,
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
  const unused = [...new Set(knownSkills)].filter((name) => !perDay.has(name)).sort(compare);
  const totals = totalsOf(within);
  const suggestions = sumSuggestions(within.flatMap((day) => day.suggestions ?? []));
  const used = addUp(within.flatMap(({ skills }) => skills));
  return {
    since,
    until,
    totals,
    days,
    mostUsed: used.map(([skill, count]) => ({ skill, count, perDay: perDay.get(skill) ?? [] })),
    neverUsed: unused.filter((name) => !isReadByAgents(name)),
    readByAgents: unused.filter(isReadByAgents),
    suggestions: suggestions.map((tally) => ({
      ...tally,
      ignored: tally.suggested - tally.loaded - tally.native,
    })),
    noMatch: unmatched(within),
    ambiguous: queries(within.flatMap(({ ambiguous }) => ambiguous)),
    feedback: feedbackOf(within.flatMap(({ feedback }) => feedback)),
    scripts: scriptsOf(within.flatMap(({ scripts }) => scripts)),
    ...funnelOf(within, totals, suggestions),
    ...groupsOf(within, calendar),
  };
}

function unmatched(within: readonly DayTally[]): readonly Unmatched[] {
  const searches = queries(within.flatMap(({ noMatch }) => noMatch));
  const names = queries(within.flatMap(({ unknownNames = [] }) => unknownNames));
  return [
    ...searches.map((one) => ({ ...one, kind: "search" as const })),
    ...names.map((one) => ({ ...one, kind: "name" as const })),
  ].sort((a, b) => b.count - a.count || compare(a.query, b.query));
}

function totalsOf(tallies: readonly DayTally[]): UsageCounts {
  const events = new Map(addUp(tallies.flatMap((tally) => tally.events)));
  const failedRuns = sum(tallies.flatMap(({ scripts }) => scripts.map(({ failures }) => failures)));
  return {
    events: sum([...events.values()]),
    suggested: events.get("skill_suggested") ?? 0,
    searched: sum(tallies.map(({ searched = 0 }) => searched)),
    served: events.get("skill_served") ?? 0,
    assets: events.get("asset_served") ?? 0,
    scripts: events.get("script_executed") ?? 0,
    noMatch: events.get("no_match") ?? 0,
    ambiguous: events.get("ambiguous") ?? 0,
    errors: failedRuns + sum(tallies.map(({ failedRefreshes }) => failedRefreshes)),
  };
}

function queries(counts: readonly Count[]): readonly QueryCount[] {
  return addUp(counts).map(([query, count]) => ({ query, count }));
}

/** Most negative feedback first: that is what someone can improve. */
function feedbackOf(parts: readonly SkillFeedback[]): readonly SkillFeedback[] {
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

const DAY_MS = 24 * 60 * 60_000;

export function daysBetween(since: string, until: string): readonly string[] {
  const first = Date.parse(since);
  const count = Math.max(0, Math.round((Date.parse(until) - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}
