import { termsOfWord, wordsOf } from "../words/analyse.ts";
import { createEmbedder, similarityAt, vectorOf, type WordTable } from "./embed.ts";

/** Texts that mean about the same. */
export interface TextGroup {
  /** The places of its texts, the first one that of the text that the group is named by. */
  readonly members: readonly number[];
}

/** Texts are this alike when people would say that they ask for the same thing: found by trying requests by hand. */
const ALIKE = 0.45;
/** Without their meaning, texts must share this much of their words. */
const SHARED = 0.6;
/** Comparing each with each takes the square of this. */
const MOST = 1_000;
const NO_WORDS: ReadonlySet<string> = new Set();

/**
 * Puts texts together that ask for the same thing, in their order: each joins the first group whose first text it is like.
 * Without a table, texts are alike that share most of their words.
 */
export function groupTexts(texts: readonly string[], table: WordTable | undefined): readonly TextGroup[] {
  const words = texts
    .slice(0, MOST)
    .map((text) => new Set(wordsOf(text).flatMap((word) => termsOfWord(word).parts)));
  const vectors = table === undefined ? undefined : words.map((terms) => meaningOf(terms, table));
  const alike = (a: number, b: number): boolean => {
    const [one, other] = [words[a] ?? NO_WORDS, words[b] ?? NO_WORDS];
    if (shareOf(one, other) >= SHARED) return true;
    const [first, second] = [vectors?.[a], vectors?.[b]];
    return first !== undefined && second !== undefined && similarityAt(first, 0, second) >= ALIKE;
  };
  const groups: number[][] = [];
  for (const place of texts.keys()) {
    const group =
      place < MOST ? groups.find(([first = -1]) => first < MOST && alike(first, place)) : undefined;
    if (group === undefined) groups.push([place]);
    else group.push(place);
  }
  return groups.map((members) => ({ members }));
}

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size;
  return all === 0 ? 0 : [...one].filter((word) => other.has(word)).length / all;
}

/** Zeros, which are like nothing, when the table has none of the words. */
function meaningOf(terms: ReadonlySet<string>, table: WordTable): Int8Array {
  const embedder = createEmbedder(table);
  for (const term of terms) {
    const row = embedder.rowOf(term);
    if (row !== -1) embedder.add(row, 1);
  }
  return vectorOf(embedder);
}
