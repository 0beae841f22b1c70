import type { SearchIndex } from "../index/search-index.ts";
import type { Reranked } from "./rerank.ts";

/**
 * What speaks for a document, as logistic regressions have it that tell what people and authors ask from what no skill
 * fits, on catalogues of 4 to 3,409 skills (docs/explanation/search.md has the protocol).
 */
interface Evidence {
  /** What the words say: the score of reranking, and the logarithm of the weight of all that matched. */
  readonly lexical: number;
  readonly matched: number;
  /** How alike the query is to what is above the body, and to the best passage. */
  readonly head: number;
  readonly passage: number;
  /** How alike it is to the other documents on average: what people ask of a catalogue is near to what the catalogue is about. */
  readonly others: number;
  /** The logarithm of the number of its words: a sentence shares a smaller part of itself with the skill that it is about. */
  readonly length: number;
  /** How much of the query must match: more in a catalogue with more text, where nearly every word is somewhere. */
  readonly coverage: number;
  readonly coverageByDoubling: number;
  /** Each doubling of the catalogue's text adds chance hits. */
  readonly doubling: number;
  /** A catalogue with less text is taken for one with so much: a handful of skills says little of which words are common. */
  readonly fewestDoublings: number;
  /** The least sum that fits. */
  readonly floor: number;
}

/** A handful of documents says little of what its users ask for, and shares common words with anything. */
const HANDFUL: Evidence = {
  ...{ lexical: 1.85, matched: 1.82, head: 6.1, passage: 6.8, others: 0, length: 0 },
  ...{ coverage: -13.9, coverageByDoubling: 0.67, doubling: -0.66, fewestDoublings: 12, floor: -1.55 },
};
const MANY: Evidence = {
  ...{ lexical: 1.2, matched: 0, head: 4.7, passage: 0.9, others: 8.3, length: 4 },
  ...{ coverage: 0.8, coverageByDoubling: 0, doubling: -0.5, fewestDoublings: 8, floor: 2.1 },
};
const WORDS_ALONE: Evidence = {
  ...{ lexical: 2.4, matched: 2.9, head: 0, passage: 0, others: 0, length: 0 },
  ...{ coverage: 0, coverageByDoubling: 0, doubling: -0.64, fewestDoublings: 0, floor: -1.9 },
};

/** So many documents count half as a handful and half as many. */
const HALF_MANY = 16;

/** The others are averaged with so many documents that are not alike at all: a few of them say little. */
const UNLIKE = 8;

/** Below this (a hundred short skills), how much must match does not fall any further. */
const FEWEST_DOUBLINGS = 16;

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
  asked: FloorInput,
): (found: RankedFigures) => number {
  const text = Math.log2(Math.max(words, 1));
  const many = size ** 2 / (size ** 2 + HALF_MANY ** 2);
  return (found) => {
    const others = (asked.toAll * size - found.head) / (Math.max(size, 1) - 1 + UNLIKE);
    const sum = (evidence: Evidence): number => sumOf(evidence, found, asked, others, text);
    const above = table === undefined ? sum(WORDS_ALONE) : many * sum(MANY) + (1 - many) * sum(HANDFUL);
    return Math.round(above * 1e6) / 1e6;
  };
}

type RankedFigures = Pick<Reranked, "lexical" | "coverage" | "head" | "passage">;

function sumOf(
  evidence: Evidence,
  { lexical, coverage, head, passage }: RankedFigures,
  { mass, searched }: FloorInput,
  others: number,
  text: number,
): number {
  // Where every word of the query is found, a small catalogue needs no more evidence than its size asks for.
  const doublings = coverage > 0.999 ? text : Math.max(text, evidence.fewestDoublings);
  const coverageWeight =
    evidence.coverage + evidence.coverageByDoubling * Math.max(doublings, FEWEST_DOUBLINGS);
  return (
    evidence.lexical * lexical +
    evidence.matched * Math.log1p(coverage * mass) +
    evidence.head * head +
    evidence.passage * passage +
    evidence.others * others +
    evidence.length * Math.log1p(searched) +
    coverageWeight * coverage +
    evidence.doubling * doublings -
    evidence.floor
  );
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
