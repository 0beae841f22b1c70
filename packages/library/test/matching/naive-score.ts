import type { LibrarySkill } from "#skills";
import type { SkillMatch } from "../../src/matching/match-skills.ts";
import type { ContextWords } from "../../src/matching/tokenize.ts";

/**
 * The rule as it is written down, with nothing clever about it: every keyword of every skill against the context as it was
 * written, if it has punctuation, and against every token.
 */
export function matchNaively(
  skills: Iterable<LibrarySkill>,
  { tokens, raw }: ContextWords,
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
      if (isMatched || isWritten(keyword, raw)) matchedKeywords.push(keyword);
    }
    const share = matchedKeywords.length / skill.keywords.length;
    const score = matchedKeywords.length === 0 ? 0 : share + skill.priority * 0.001;
    if (score > minScore - 1e-9) results.push({ skill, score, matchedKeywords });
  }
  return results.sort((a, b) => b.score - a.score || (a.skill.path < b.skill.path ? -1 : 1));
}

/** Anywhere between others than letters, numbers and the sign that it begins or ends with. */
function isWritten(keyword: string, raw: string): boolean {
  if (!/[^\P{P}-]|\p{S}/u.test(keyword) || !/[\p{L}\p{N}]/u.test(keyword)) return false;
  const [all, ends] = [Array.from(raw), Array.from(keyword)];
  const isWord = (character: string): boolean => /[\p{L}\p{N}\p{M}]/u.test(character);
  return all.some((_, at) => {
    if (all.slice(at, at + ends.length).join("") !== keyword) return false;
    const [before = "", after = ""] = [all[at - 1], all[at + ends.length]];
    return !isWord(before) && !isWord(after) && before !== ends[0] && after !== ends.at(-1);
  });
}

function isShort(word: string): boolean {
  return word.length < 6 && Array.from(word).length < 3;
}
