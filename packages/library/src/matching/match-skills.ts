import type { LibrarySkill } from "#skills";
import { type KeywordIndex, matchKeywords } from "./keyword-index.ts";
import type { ContextWords } from "./tokenize.ts";

export interface SkillMatch {
  readonly skill: LibrarySkill;
  readonly score: number;
  /** Folded, in the order in which the skill lists them. */
  readonly matchedKeywords: readonly string[];
}

/** Every skill that scores enough, best first, and by path where they score the same. */
export function matchSkills(
  index: KeywordIndex,
  words: ContextWords,
  { minScore }: { readonly minScore: number },
): readonly SkillMatch[] {
  const matched = matchKeywords(index, words);
  const counts = countMatched(index, matched);
  const results: SkillMatch[] = [];
  for (const [place, { skill, keywords }] of index.skills.entries()) {
    const score = scoreOf(counts[place] ?? 0, keywords.length, skill.priority);
    if (isBelow(score, minScore)) continue;
    const listed = keywords.flatMap((number) =>
      matched[number] === 1 ? (index.keywords[number] ?? []) : [],
    );
    results.push({ skill, score, matchedKeywords: listed });
  }
  // They are in the order of their paths, and sorting keeps it where they score the same.
  return results.sort((a, b) => b.score - a.score);
}

/** By skill: how many of its keywords, as listed, are matched. */
function countMatched({ skills, holders }: KeywordIndex, matched: Uint8Array): Uint32Array {
  const counts = new Uint32Array(skills.length);
  let number = matched.indexOf(1);
  while (number >= 0) {
    for (const place of holders[number] ?? []) counts[place] = (counts[place] ?? 0) + 1;
    number = matched.indexOf(1, number + 1);
  }
  return counts;
}

/**
 * The share of a skill's keywords that a context matches, and a thousandth for each point of priority. Without a keyword,
 * priority counts nothing: no skill can make itself the answer to everything.
 */
function scoreOf(matched: number, total: number, priority: number): number {
  return matched === 0 ? 0 : matched / total + priority * 0.001;
}

/** Far below the thousandth that a priority can add, far above what adding fractions leaves behind. */
const NOISE = 1e-9;

/** Whether one number is smaller as people count: 0.5 − 0.4 is not below 0.1, although its floating-point value is. */
function isBelow(value: number, limit: number): boolean {
  return !(value - limit >= -NOISE);
}

/** A score as it is shown. */
export function roundScore(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

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
