import type { SkillMatch } from "./match-skills.ts";
import { isBelow } from "./score.ts";

export type Decision =
  | { readonly kind: "none" }
  | { readonly kind: "match"; readonly result: SkillMatch }
  | { readonly kind: "ambiguous"; readonly candidates: readonly SkillMatch[] };

export interface DecisionLimits {
  /** Two skills closer than this are for the client to choose from. */
  readonly ambiguityThreshold: number;
  /** How many candidates are shown. */
  readonly maxResults: number;
}

/** What to answer, from the results as `matchSkills` orders them. */
export function decide(
  results: readonly SkillMatch[],
  { ambiguityThreshold, maxResults }: DecisionLimits,
): Decision {
  const [first, second] = results;
  if (first === undefined) return { kind: "none" };
  if (second === undefined) return { kind: "match", result: first };
  if (!isBelow(first.score - second.score, ambiguityThreshold)) return { kind: "match", result: first };
  return { kind: "ambiguous", candidates: results.slice(0, maxResults) };
}
