import type { Ranker } from "./ranker.ts";

/**
 * The rule of `skills.search`, and the plainest scan there is: a skill is found when its text holds every word of the
 * query. All that are found score alike, so the name orders them.
 */
export function allWordsRanker(skills: readonly { readonly id: string; readonly text: string }[]): Ranker {
  const texts = skills
    .map(({ id, text }) => ({ id, text: text.toLowerCase() }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    name: "all words",
    rank(query, limit) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return [];
      const found = texts.filter(({ text }) => words.every((word) => text.includes(word)));
      return found.slice(0, limit).map(({ id }) => id);
    },
  };
}
