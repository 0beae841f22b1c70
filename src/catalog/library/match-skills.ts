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
    const matchedKeywords = keywords.flatMap((number) =>
      matched[number] === 1 ? (index.keywords[number] ?? []) : [],
    );
    results.push({ skill, score, matchedKeywords });
  }
  return results.sort(byScoreThenPath);
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

function byScoreThenPath(a: SkillMatch, b: SkillMatch): number {
  if (a.score !== b.score) return a.score > b.score ? -1 : 1;
  if (a.skill.path === b.skill.path) return 0;
  return a.skill.path < b.skill.path ? -1 : 1;
}
