import type { LibrarySkill } from "#skills";
import type { SkillMatch } from "../../src/matching/match-skills.ts";

/** The rule as it is written down, with nothing clever about it: every token against every keyword of every skill. */
export function matchNaively(
  skills: Iterable<LibrarySkill>,
  tokens: readonly string[],
  minScore: number,
): readonly SkillMatch[] {
  const exact = new Set(tokens.filter(isShort));
  const others = tokens.filter((token) => !isShort(token));
  const results: SkillMatch[] = [];
  for (const skill of skills) {
    const matchedKeywords: string[] = [];
    for (const listed of skill.keywords) {
      const keyword = listed.toLowerCase().normalize("NFC");
      const isMatched = isShort(keyword)
        ? exact.has(keyword)
        : others.some((token) => token === keyword || token.includes(keyword) || keyword.includes(token));
      if (isMatched) matchedKeywords.push(keyword);
    }
    const share = matchedKeywords.length / skill.keywords.length;
    const score = matchedKeywords.length === 0 ? 0 : share + skill.priority * 0.001;
    if (score > minScore - 1e-9) results.push({ skill, score, matchedKeywords });
  }
  return results.sort((a, b) => b.score - a.score || (a.skill.path < b.skill.path ? -1 : 1));
}

function isShort(word: string): boolean {
  return word.length < 6 && Array.from(word).length < 3;
}
