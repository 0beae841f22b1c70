import path from "node:path";
import { readByAgents, type Snapshot } from "#skills";
import type { Count, DayTally } from "../history/day-tally.ts";
import { readHistory } from "../history/history-files.ts";
import { type Span, summarise, type UsageSummary } from "../history/summarise.ts";
import type { FleetUsage } from "../relay/fleet-usage.ts";

interface UsageSources {
  readonly home: string;
  /** Undefined: this server is the only one. */
  readonly fleet: FleetUsage | undefined;
}

/** Whose usage is wanted, and which skills the reader may see. */
interface UsageWanted {
  /** Undefined: everyone's. */
  readonly caller: string | undefined;
  /** From the names that usage is counted under to those that the caller sees. Undefined: they see every skill. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** What was used by one caller or by all: on all replicas or, where there are none or Redis is away, on this machine. */
export async function usageStats(
  { home, fleet }: UsageSources,
  snapshot: Snapshot,
  span: Span,
  { caller, names }: UsageWanted,
): Promise<UsageSummary> {
  const { catalog, library } = snapshot;
  const skills = [...catalog.entries.map(({ listedAs }) => listedAs), ...library.skills.keys()];
  const shared = await fleet?.days(span, caller).catch((): undefined => undefined);
  const days = shared ?? (await readHistory(path.join(home, ".skills-mcp"), span.since, caller));
  const seen =
    names === undefined ? days : days.map((day) => narrowedTally(day, names, caller !== undefined));
  const isRead = readByAgents(snapshot);
  const read = new Set(catalog.entries.filter(isRead).map(({ listedAs }) => listedAs));
  const summary = summarise(seen, span, skills, (name) => read.has(name));
  return { ...summary, ...(shared === undefined ? {} : { scope: "fleet" }) };
}

/**
 * The counts of a day for a reader who sees only some skills; `names` leads from the names that usage is counted under to those
 * that the reader sees. Only what is listed here passes: other counts may tell of other skills. What people typed passes only in
 * their own usage (`isOwn`).
 */
function narrowedTally(
  { day, skills, scripts, feedback, suggestions = [], noMatch, ambiguous, events }: DayTally,
  names: ReadonlyMap<string, string>,
  isOwn: boolean,
): DayTally {
  const renamed = <T extends { readonly skill: string }>(items: readonly T[]): readonly T[] =>
    items.flatMap((item) => {
      const skill = names.get(item.skill);
      return skill === undefined ? [] : [{ ...item, skill }];
    });
  const served = skills.flatMap(([name, count]): readonly Count[] => {
    const skill = names.get(name);
    return skill === undefined ? [] : [[skill, count]];
  });
  const run = renamed(scripts);
  const suggested = renamed(suggestions);
  const typed = new Set(isOwn ? ["no_match", "ambiguous"] : []);
  return {
    day,
    skills: served,
    scripts: run,
    feedback: renamed(feedback),
    suggestions: suggested,
    noMatch: isOwn ? noMatch : [],
    ambiguous: isOwn ? ambiguous : [],
    failedRefreshes: 0,
    events: [
      ["skill_served", sumOf(served.map(([, count]) => count))],
      ["script_executed", sumOf(run.map(({ runs }) => runs))],
      ["skill_suggested", sumOf(suggested.map((one) => one.suggested))],
      ...events.filter(([type]) => typed.has(type)),
    ],
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
