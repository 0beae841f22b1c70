import type { SearchIndex } from "../index/search-index.ts";
import type { Reranked } from "./rerank.ts";

/**
 * What speaks for a document, as logistic regressions have it that tell what people and authors ask from what no skill fits,
 * on catalogues of 4 to 3,409 skills (docs/explanation/search.md has the protocol).
 */
interface Evidence {
  /** What the words say: the score of reranking, and the logarithm of the weight of all that matched. */
  readonly lexical: number;
  readonly matched: number;
  /** The share of the query that the document has. */
  readonly coverage: number;
  /** How alike the query is to what is above the body, and to the best passage. */
  readonly head: number;
  readonly passage: number;
  /** How alike it is to the other documents on average: what people ask of a catalogue is near to what the catalogue is about. */
  readonly others: number;
  /** The logarithm of the number of its words: a sentence shares a smaller part of itself with the skill that it is about. */
  readonly length: number;
  /** Each doubling of the catalogue's text adds chance hits. A catalogue with less than the fewest is taken for one with so much. */
  readonly doubling: number;
  readonly fewestDoublings: number;
  /** The least sum that fits. */
  readonly floor: number;
}

const WITH_MEANING: Evidence = {
  ...{ lexical: 1.2, matched: 0, coverage: 0.8, head: 4.7, passage: 0.9, others: 8.3 },
  ...{ length: 4, doubling: -0.5, fewestDoublings: 8, floor: 2.1 },
};
const WORDS_ALONE: Evidence = {
  ...{ lexical: 2.4, matched: 2.9, coverage: 0, head: 0, passage: 0, others: 0 },
  ...{ length: 0, doubling: -0.64, fewestDoublings: 0, floor: -1.9 },
};

/** In a handful of documents, the others say little: they are averaged with so many that are not alike at all. */
const UNLIKE = 8;

/** The evidence for the first may lie a little lower in the list: by score, it is not the only thing that counts. */
const LOOKED_AT = 10;

/** The share of the best score that one of the first `FEW` results needs to be shown. */
const BESIDE_BEST = 0.4;
const FEW = 5;
/** The share that every later result needs. */
const NEARLY_AS_GOOD = 0.7;

/** What of a query decides whether a document fits. */
interface FloorInput {
  /** What the whole query weighs, and how many of its words are searched for. */
  readonly mass: number;
  readonly searched: number;
  /** How alike it is to all documents on average. */
  readonly toAll: number;
}

/**
 * What speaks for documents, by how far it is above the floor: one that fits has 0 and more. The last bits of a logarithm
 * differ between versions of V8, so it is rounded.
 */
export function aboveFloor(
  { words, size, table }: Pick<SearchIndex, "words" | "size" | "table">,
  { mass, searched, toAll }: FloorInput,
): (found: Pick<Reranked, "lexical" | "coverage" | "head" | "passage">) => number {
  const evidence = table === undefined ? WORDS_ALONE : WITH_MEANING;
  const ofQuery =
    evidence.length * Math.log1p(searched) +
    evidence.doubling * Math.max(Math.log2(Math.max(words, 1)), evidence.fewestDoublings) -
    evidence.floor;
  return ({ lexical, coverage, head, passage }) => {
    const others = (toAll * size - head) / (Math.max(size, 1) - 1 + UNLIKE);
    const above =
      ofQuery +
      evidence.lexical * lexical +
      evidence.matched * Math.log1p(coverage * mass) +
      evidence.coverage * coverage +
      evidence.head * head +
      evidence.passage * passage +
      evidence.others * others;
    return Math.round(above * 1e6) / 1e6;
  };
}

/** How many of the ranked documents fit the query: none, or the first of them. */
export function countFitting(
  index: Pick<SearchIndex, "words" | "size" | "table">,
  ranked: readonly Reranked[],
  asked: FloorInput,
): number {
  const above = aboveFloor(index, asked);
  const fits = (found: Reranked): boolean => above(found) >= 0;
  const [best] = ranked;
  if (best === undefined || !ranked.slice(0, LOOKED_AT).some(fits)) return 0;
  const end = ranked.findIndex(
    ({ score }, place) => score < (place < FEW ? BESIDE_BEST : NEARLY_AS_GOOD) * best.score,
  );
  return end === -1 ? ranked.length : end;
}

export type SearchVerdict = "match" | "ambiguous" | "no_match";

/**
 * A logistic regression on the development prompts, with a fifth as many requests that no skill answers (the prompts
 * of one set asked of the other). The lead of the first result is the strongest signal; a match in its name
 * adds nothing.
 */
const WEIGHT = {
  bias: -2.2,
  /** The first score less that of the next that is no copy of it. */
  margin: 1.5,
  /** How much of the query the first result contains: low for a chance match on one word. */
  coverage: 1.4,
  /** The logarithm of the number of words searched for: one word rarely settles it. */
  words: 0.3,
};

/** About a third of the measured prompts are above this; for 19 in 20 of them the first result is right. */
const SURE = 0.8;

/** A query that is a name means that skill, or one of several with that name. */
const LEAST_OF_SEVERAL = 0.3;

/**
 * The probability that the first result is right. `next` is the best one that is no copy of it; `named` are the skills whose
 * name is the query.
 */
export function confidenceOf(
  first: Reranked | undefined,
  next: Reranked | undefined,
  words: number,
  named: number,
): number {
  if (first === undefined) return 0;
  if (named > 0) return Math.max(LEAST_OF_SEVERAL, 1 / named);
  const sum =
    WEIGHT.bias +
    WEIGHT.margin * (first.score - (next?.score ?? 0)) +
    WEIGHT.coverage * first.coverage +
    WEIGHT.words * Math.log(1 + words);
  return 1 / (1 + Math.exp(-sum));
}

export function verdictOf(confidence: number, fits: boolean): SearchVerdict {
  if (!fits) return "no_match";
  return confidence >= SURE ? "match" : "ambiguous";
}
