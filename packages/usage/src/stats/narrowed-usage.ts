import type { Count, DayTally } from "../history/day-tally.ts";

/**
 * The counts of a day for a reader who sees only some skills; `names` leads from the names that usage is counted under to those
 * that the reader sees. Only what is listed here passes: other counts may tell of other skills. What people typed passes only in
 * their own usage (`isOwn`).
 */
export function narrowedTally(
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
