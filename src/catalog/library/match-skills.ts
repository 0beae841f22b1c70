import type { LibrarySkill } from "./library.ts";
import { foldWord, isShort } from "./tokenize.ts";

export interface SkillMatch {
  readonly skill: LibrarySkill;
  readonly score: number;
  /** Folded, in the order in which the skill lists them. */
  readonly matchedKeywords: readonly string[];
}

/**
 * Every skill that scores at least `minScore`, best first, equal scores in path order. A priority can be enough by
 * itself, because only the score counts.
 */
export function matchSkills(
  skills: Iterable<LibrarySkill>,
  tokens: Iterable<string>,
  { minScore }: { readonly minScore: number },
): readonly SkillMatch[] {
  const isMatched = createKeywordTest(tokens);
  const results: SkillMatch[] = [];
  for (const skill of skills) {
    const matchedKeywords = skill.keywords.map(foldWord).filter(isMatched);
    const score = scoreOf(matchedKeywords.length, skill.keywords.length, skill.priority);
    if (!isBelow(score, minScore)) results.push({ skill, score, matchedKeywords });
  }
  return results.sort((a, b) => b.score - a.score || (a.skill.path < b.skill.path ? -1 : 1));
}

/** Whether a token equals a keyword, contains it or is contained in it; the last two only if both are long enough. */
function createKeywordTest(tokens: Iterable<string>): (keyword: string) => boolean {
  const all = new Set(tokens);
  const long = [...all].filter((token) => !isShort(token));
  const known = new Map<string, boolean>();
  return (keyword) => {
    const tested = known.get(keyword);
    if (tested !== undefined) return tested;
    const isMatched =
      all.has(keyword) ||
      (!isShort(keyword) && long.some((token) => token.includes(keyword) || keyword.includes(token)));
    known.set(keyword, isMatched);
    return isMatched;
  };
}

/** The share of a skill's keywords that a context matches, and a thousandth for each point of priority. */
function scoreOf(matched: number, total: number, priority: number): number {
  const base = total === 0 ? 0 : matched / total;
  return base + priority * 0.001;
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
