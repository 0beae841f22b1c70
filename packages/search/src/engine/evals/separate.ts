import { compareText } from "#util/pure";
import type { SearchDocument } from "../index/build-segment.ts";
import { updateIndex } from "../index/search-index.ts";
import { runToEnd, type Steps } from "../steps.ts";
import { termsOfWord, wordsOf } from "../words/analyse.ts";
import { type Collision, termsIn } from "./collisions.ts";
import { type CaseResult, type EvalCorpus, type EvalSkill, evaluateCases, totalsOf } from "./evaluate.ts";

/** Words that would tell one skill of a collision from the other, and what they would do. */
export interface Separation {
  readonly skill: string;
  readonly from: string;
  /** To add to the description of `skill`. */
  readonly words: readonly string[];
  /** Prompts at rank 1 of both skills, before and with these words. */
  readonly before: number;
  readonly after: number;
  readonly prompts: number;
}

const MOST_WORDS = 5;
const SEARCHED_BODY = 8_000;
/** A prompt says better what people type than a body does. */
const PROMPT_WEIGHT = 3;
/** Short words and numbers are no keywords. */
const LEAST_LENGTH = 3;

/** For both skills of each collision. Each proposal is tried out: what does not help is not proposed. */
export function* separateSkills(
  corpus: EvalCorpus,
  collisions: readonly Collision[],
): Steps<readonly Separation[]> {
  const skills = new Map(corpus.skills.map((skill) => [skill.document.id, skill]));
  const rarity = rarityOf(corpus.skills);
  const found: Separation[] = [];
  for (const { first, second } of collisions) {
    for (const [one, other] of [
      [skills.get(first), skills.get(second)],
      [skills.get(second), skills.get(first)],
    ]) {
      if (one === undefined || other === undefined) continue;
      const words = separatingWords(one, other, rarity);
      if (words.length === 0) continue;
      const tried = yield* tryWords(corpus, one, other, words);
      if (tried.prompts === 0 || tried.after > tried.before)
        found.push({ skill: one.document.id, from: other.document.id, words, ...tried });
    }
  }
  return found;
}

/** What only one of two skills is about, by its own prompts and text, and its description does not say. */
function separatingWords(
  { document, cases }: EvalSkill,
  other: EvalSkill,
  rarity: (term: string) => number,
): readonly string[] {
  const known = termsIn(above(document));
  const theirs = termsIn(wholeText(other));
  const scores = new Map<string, { readonly word: string; score: number }>();
  const add = (text: string, weight: number): void => {
    for (const [term, word] of termsWithWords(text)) {
      if (known.has(term) || theirs.has(term) || term.length < LEAST_LENGTH || /^\d/.test(term)) continue;
      const found = scores.get(term) ?? { word, score: 0 };
      found.score += weight * rarity(term);
      scores.set(term, found);
    }
  };
  for (const { prompt, shouldTrigger } of cases) if (shouldTrigger) add(prompt, PROMPT_WEIGHT);
  for (const paragraph of document.body.slice(0, SEARCHED_BODY).split(/\n\s*\n/)) add(paragraph, 1);
  return distinctWords(
    [...scores.values()].sort((a, b) => b.score - a.score || compareText(a.word, b.word)),
  ).slice(0, MOST_WORDS);
}

function wholeText({ document, cases }: EvalSkill): string {
  const prompts = cases.filter(({ shouldTrigger }) => shouldTrigger).map(({ prompt }) => prompt);
  return [above(document), ...document.examples, ...prompts, document.body.slice(0, SEARCHED_BODY)].join(
    "\n",
  );
}

/** Words of a few skills tell them apart; a word of one skill alone is often an accident. */
function rarityOf(skills: readonly EvalSkill[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const { document } of skills) {
    for (const term of termsIn(`${above(document)}\n${document.body.slice(0, SEARCHED_BODY)}`)) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return (term) => Math.log(1 + skills.length / (1 + (counts.get(term) ?? 0)));
}

/** How many prompts of both skills reach rank 1 with these words in the description of the first. */
function* tryWords(
  corpus: EvalCorpus,
  one: EvalSkill,
  other: EvalSkill,
  words: readonly string[],
): Steps<Pick<Separation, "before" | "after" | "prompts">> {
  const document: SearchDocument = {
    ...one.document,
    description: `${one.document.description} ${words.join(", ")}.`,
  };
  const index = runToEnd(updateIndex(corpus.index, { removed: [], added: [document] }));
  const before = totalsOf(yield* evaluateCases(corpus, [one, other]));
  const after = totalsOf(yield* evaluateCases({ ...corpus, index }, [{ ...one, document }, other]));
  return { before: before.rank1, after: after.rank1, prompts: before.prompts };
}

/** A description that says too little for the search to find its skill. */
export interface ThinDescription {
  readonly skill: string;
  /** How many different words of the description count. */
  readonly words: number;
  /** Words of prompts that did not reach the skill, which neither its name nor its description has. */
  readonly missing: readonly string[];
}

const FEWEST_WORDS = 6;
const MOST_MISSING_WORDS = 8;

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
  ).slice(0, MOST_MISSING_WORDS);
}

/** Each word once, at its first place: one like `getUserName` has several terms. */
function distinctWords(found: readonly { readonly word: string }[]): readonly string[] {
  return [...new Set(found.map(({ word }) => word))];
}

/** Everything but the body and the prompts. */
function above({ name, description, keywords }: SearchDocument): string {
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
