import { compareText } from "#util/pure";
import type { SearchDocument } from "../index/search-document.ts";
import { termsOfWord, wordsOf } from "../words/analyse.ts";
import { termsIn } from "./collisions.ts";
import type { CaseResult, EvalSkill } from "./evaluate.ts";

/** A description that says too little for the search to find its skill. */
export interface ThinDescription {
  readonly skill: string;
  /** How many different words of the description count. */
  readonly words: number;
  /** Words of prompts that did not reach the skill, which neither its name nor its description has. */
  readonly missing: readonly string[];
}

const FEWEST_WORDS = 6;
const MOST_WORDS = 8;

export function thinDescriptions(
  skills: readonly EvalSkill[],
  results: readonly CaseResult[],
): readonly ThinDescription[] {
  return skills.flatMap(({ document }) => {
    const words = termsIn(document.description).size;
    const lost = results.filter(
      ({ skill, shouldTrigger, rank }) => skill === document.id && shouldTrigger && rank !== 1,
    );
    const missing = wordsMissing(
      document,
      lost.map(({ prompt }) => prompt),
    );
    // A prompt that is lost though its words are there is lost to another skill.
    const isThin = words < FEWEST_WORDS || missing.length > 0;
    return isThin ? [{ skill: document.id, words, missing }] : [];
  });
}

/** The words of prompts that what an author writes to be found does not have, most frequent first. */
function wordsMissing(document: SearchDocument, prompts: readonly string[]): readonly string[] {
  const known = termsIn(above(document));
  const counts = new Map<string, { readonly word: string; count: number }>();
  for (const prompt of prompts) {
    for (const [term, word] of termsWithWords(prompt)) {
      if (known.has(term)) continue;
      const found = counts.get(term) ?? { word, count: 0 };
      found.count++;
      counts.set(term, found);
    }
  }
  return distinctWords(
    [...counts.values()].sort((a, b) => b.count - a.count || compareText(a.word, b.word)),
  ).slice(0, MOST_WORDS);
}

/** Each word once, at its first place: one like `getUserName` has several terms. */
export function distinctWords(found: readonly { readonly word: string }[]): readonly string[] {
  return [...new Set(found.map(({ word }) => word))];
}

/** Everything but the body and the prompts. */
export function above({ name, description, keywords }: SearchDocument): string {
  return [name, description, ...keywords].join("\n");
}

/** Each distinct term of a text with the word that it was first written as. */
export function termsWithWords(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const word of wordsOf(text)) {
    for (const term of termsOfWord(word).parts) if (!words.has(term)) words.set(term, word.toLowerCase());
  }
  return words;
}
