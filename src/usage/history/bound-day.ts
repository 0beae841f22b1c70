import { compare } from "./counter.ts";
import type { DayTally } from "./day-tally.ts";

const MOST = {
  skills: 200,
  queries: 100,
  skillsWithFeedback: 100,
  comments: 20,
  scripts: 100,
  durations: 31,
} as const;

/** A day at a size that does not depend on how much happened: the counts stay exact, the long tails go. */
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
      .sort((a, b) => b.runs - a.runs || compare(a.skill, b.skill) || compare(a.file, b.file))
      .slice(0, MOST.scripts)
      .map((script) => ({ ...script, durations: evenlyChosen(script.durations, MOST.durations) })),
  };
}

/** Some of the values, evenly over their order, the smallest and the largest among them: their median is near the true one. */
export function evenlyChosen(values: readonly number[], most: number): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length <= most) return sorted;
  const step = (sorted.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => sorted[Math.round(index * step)] ?? 0);
}
