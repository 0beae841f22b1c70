import { type KeywordIndex, matchKeywords } from "./keyword-index.ts";
import type { LibrarySkill } from "./library.ts";
import { isBelow, scoreOf } from "./score.ts";

export interface SkillMatch {
  readonly skill: LibrarySkill;
  readonly score: number;
  /** Folded, in the order in which the skill lists them. */
  readonly matchedKeywords: readonly string[];
}

/**
 * Every skill that scores enough, best first, and by path where they score the same. A skill whose priority alone is
 * enough is among them, as the score is all that counts.
 */
export function matchSkills(
  index: KeywordIndex,
  tokens: Iterable<string>,
  { minScore }: { readonly minScore: number },
): readonly SkillMatch[] {
  const matched = matchKeywords(index, tokens);
  const counts = countMatched(index, matched);
  const results: SkillMatch[] = [];
  for (const [place, { skill, keywords }] of index.skills.entries()) {
    const score = scoreOf(counts[place] ?? 0, keywords.length, skill.priority);
    if (isBelow(score, minScore)) continue;
    results.push({ skill, score, matchedKeywords: listMatched(index, keywords, matched) });
  }
  // They are in the order of their paths, and sorting keeps it where they score the same.
  return results.sort((a, b) => b.score - a.score);
}

function listMatched(
  index: KeywordIndex,
  keywords: readonly number[],
  matched: Uint8Array,
): readonly string[] {
  const listed: string[] = [];
  for (const number of keywords) {
    const keyword = matched[number] === 1 ? index.keywords[number] : undefined;
    if (keyword !== undefined) listed.push(keyword);
  }
  return listed;
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
