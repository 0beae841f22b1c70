import type { LibrarySkill } from "#skills";
import { foldWord, hasPunctuation, tokenize } from "./tokenize.ts";

/** Something that works, but not as its author hopes. */
export interface LibraryAdvice {
  readonly rule: string;
  readonly message: string;
}

/** More keywords make each of them count for less: with these many, even a good match falls below the limit. */
const MOST_KEYWORDS = 25;

/** What an author should know of a skill that loads. */
export function adviceOn({ keywords }: LibrarySkill): readonly LibraryAdvice[] {
  const advice: LibraryAdvice[] = [];
  const dead = keywords.filter(
    (keyword) => tokenize(keyword).tokens.length === 0 && !hasPunctuation(keyword),
  );
  if (dead.length > 0) {
    advice.push({
      rule: "keyword-never-matches",
      message: `No task can match ${listed(dead)}: punctuation and very common words are removed from a task. Remove them, because each lowers the score.`,
    });
  }
  const seen = new Set<string>();
  const twice = keywords.filter((keyword) => seen.size === seen.add(foldWord(keyword)).size);
  if (twice.length > 0) {
    advice.push({ rule: "keyword-twice", message: `${listed(twice)} is listed twice, so it counts twice.` });
  }
  if (keywords.length > MOST_KEYWORDS) {
    advice.push({
      rule: "many-keywords",
      message: `There are ${keywords.length} keywords, and the score is the share of them that a task contains. Keep the few that people use.`,
    });
  }
  return advice;
}

function listed(keywords: readonly string[]): string {
  return keywords.map((keyword) => `'${keyword}'`).join(", ");
}
