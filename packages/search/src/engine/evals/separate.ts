import { compareText } from "#util/pure";
import type { SearchDocument } from "../index/search-document.ts";
import { updateIndex } from "../index/search-index.ts";
import { runToEnd, type Steps } from "../steps.ts";
import type { Collision } from "./collisions.ts";
import { termsIn } from "./collisions.ts";
import { type EvalCorpus, type EvalSkill, evaluateCases, totalsOf } from "./evaluate.ts";
import { above, distinctWords, termsWithWords } from "./missing-words.ts";

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
