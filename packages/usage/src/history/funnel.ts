import { STEPS, type UsageStep } from "../events.ts";
import { type Count, compare, createCounter, type DayTally, type GroupTally } from "./day-tally.ts";
import type { SuggestionTally } from "./suggestion-tally.ts";

/** How often agents came to each step, from a suggestion to a script. Steps can be skipped. */
export type Funnel = Readonly<Record<"suggested" | "searched" | "loaded" | "scripts", number>>;

/** How often one skill came to each step; `found` is how often it was among the results of a search. */
export interface SkillFunnel {
  readonly skill: string;
  readonly suggested: number;
  readonly found: number;
  readonly loaded: number;
  readonly scripts: number;
  /** The last day on which it was loaded; absent when it was not. */
  readonly lastUsed?: string;
}

/** What one client or caller did in a span of days. */
export interface GroupUse extends Readonly<Record<UsageStep, number>> {
  readonly name: string;
  /** The skills that it loaded, most first. */
  readonly skills: readonly SkillCount[];
  /** How many it loaded on each of `days`. */
  readonly perDay: readonly number[];
}

export interface ClientUse extends GroupUse {
  readonly versions: readonly { readonly version: string; readonly count: number }[];
}

interface SkillCount {
  readonly skill: string;
  readonly count: number;
}

export function funnelOf(
  days: readonly DayTally[],
  totals: Readonly<Record<"suggested" | "searched" | "served" | "scripts", number>>,
  suggestions: readonly SuggestionTally[],
): { readonly funnel: Funnel; readonly skills: readonly SkillFunnel[] } {
  const { suggested, searched, served, scripts } = totals;
  return {
    funnel: { suggested, searched, loaded: served, scripts },
    skills: skillFunnels(days, suggestions),
  };
}

function skillFunnels(
  days: readonly DayTally[],
  suggestions: readonly SuggestionTally[],
): readonly SkillFunnel[] {
  const runs = days.flatMap((day) => day.scripts.map(({ skill, runs: count }): Count => [skill, count]));
  const steps = {
    suggested: suggestions.map(({ skill, suggested }): Count => [skill, suggested]),
    found: days.flatMap(({ found = [] }) => found),
    loaded: days.flatMap(({ skills }) => skills),
    scripts: runs,
  };
  const counts = new Map(Object.entries(steps).map(([step, list]) => [step, new Map(addUp(list))]));
  const countOf = (step: keyof typeof steps, skill: string): number => counts.get(step)?.get(skill) ?? 0;
  const lastUsed = new Map<string, string>();
  for (const { day, skills } of days)
    for (const [skill] of skills) if (day > (lastUsed.get(skill) ?? "")) lastUsed.set(skill, day);
  return [...new Set(Object.values(steps).flatMap((list) => list.map(([skill]) => skill)))]
    .map((skill): SkillFunnel => {
      const last = lastUsed.get(skill);
      return {
        skill,
        suggested: countOf("suggested", skill),
        found: countOf("found", skill),
        loaded: countOf("loaded", skill),
        scripts: countOf("scripts", skill),
        ...(last === undefined ? {} : { lastUsed: last }),
      };
    })
    .sort((a, b) => b.loaded - a.loaded || b.found - a.found || compare(a.skill, b.skill));
}

export function groupsOf(
  days: readonly DayTally[],
  calendar: readonly string[],
): { readonly clients: readonly ClientUse[]; readonly callers: readonly GroupUse[] } {
  const clients = days.flatMap(({ day, clients: list = [] }) => list.map((tally) => ({ day, tally })));
  const callers = days.flatMap(({ day, callers: list = [] }) => list.map((tally) => ({ day, tally })));
  return {
    clients: sumGroups(clients, calendar).map(({ use, parts }) => ({
      ...use,
      versions: addUp(parts.flatMap(({ versions }) => versions)).map(([version, count]) => ({
        version,
        count,
      })),
    })),
    callers: sumGroups(callers, calendar).map(({ use }) => use),
  };
}

interface DayOfGroup {
  readonly day: string;
  readonly tally: GroupTally;
}

function sumGroups(
  list: readonly DayOfGroup[],
  calendar: readonly string[],
): readonly { readonly use: GroupUse; readonly parts: readonly GroupTally[] }[] {
  return [...groupBy(list, ({ tally }) => tally.name)]
    .map(([name, group]) => {
      const parts = group.map(({ tally }) => tally);
      const loads = new Map(addUp(group.map(({ day, tally }): Count => [day, tally.loaded])));
      const sums = Object.fromEntries(STEPS.map((step) => [step, sum(parts.map((part) => part[step]))]));
      const use: GroupUse = {
        name,
        ...(sums as Record<UsageStep, number>),
        skills: addUp(parts.flatMap(({ skills }) => skills)).map(([skill, count]) => ({ skill, count })),
        perDay: calendar.map((day) => loads.get(day) ?? 0),
      };
      return { use, parts };
    })
    .sort((a, b) => b.use.events - a.use.events || compare(a.use.name, b.use.name));
}

/** The counts of several days as one list, most first. */
export function addUp(counts: readonly Count[]): readonly Count[] {
  const counter = createCounter();
  for (const [name, count] of counts) counter.add(name, count);
  return counter.counts();
}

export function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
