import { editDistance } from "#util/pure";
import { BM25F, type SearchDocument } from "../../src/engine/index/build-segment.ts";
import { holdsPair, pairFilter, pairHash, termHash } from "../../src/engine/index/segment.ts";
import { type Alternative, type Concept, parseQuery } from "../../src/engine/rank/parse-query.ts";
import { RERANK } from "../../src/engine/rank/rerank.ts";
import { MOST_CORRECTIONS } from "../../src/engine/rank/resolve-terms.ts";
import { wholeTerms } from "../../src/engine/words/alias-terms.ts";
import { termsOfWord, wordsOf } from "../../src/engine/words/analyse.ts";

interface NaiveField {
  readonly terms: readonly string[];
  readonly length: number;
  readonly pairs: readonly number[];
}

const MOST_COUNTED = [3, 7, 3, 7, 63];
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The obvious implementation: no index, every number counted afresh from the texts. By id, unrounded. */
export function naiveSearch(
  documents: readonly SearchDocument[],
  query: string,
): ReadonlyMap<string, number> {
  const texts = documents.map(({ id, name, description, keywords, examples, body }) => ({
    id,
    fields: [[name], [description], keywords, examples, [body]].map(naiveField),
  }));
  const holders = (term: string): number =>
    texts.filter(({ fields }) => fields.some(({ terms }) => terms.includes(term))).length;
  const idf = (term: string): number =>
    Math.log(1 + (texts.length - holders(term) + 0.5) / (holders(term) + 0.5));
  const vocabulary = new Set(texts.flatMap(({ fields }) => fields.flatMap(({ terms }) => terms)));
  const averages = BM25F.b.map(
    (_, field) => sum(texts.map(({ fields }) => fields[field]?.length ?? 0)) / texts.length,
  );

  const parsed = parseQuery(query, undefined);
  let corrections = 0;
  const concepts = parsed.concepts.map((concept) => {
    let known = knownTerms(concept, holders);
    if (known.length === 0 && /^[a-z]{4,24}$/.test(concept.term) && corrections++ < MOST_CORRECTIONS) {
      known = nearestTerm(concept, [...vocabulary], holders);
    }
    const weight = Math.sqrt(concept.weight);
    const own = known.find(({ term }) => term === concept.term) ?? known[0];
    return { known, weight, mass: weight * idf(own?.term ?? "") };
  });
  const mass = sum(concepts.map((concept) => concept.mass));
  // A term that stands for two concepts counts where it weighs most; of equals, for the heavier concept.
  const order = [...concepts.keys()].sort(
    (a, b) => (concepts[b]?.mass ?? 0) - (concepts[a]?.mass ?? 0) || a - b,
  );
  const counted = new Map<
    string,
    { readonly concept: number; readonly share: number; readonly weight: number }
  >();
  for (const concept of order) {
    for (const { term, share } of concepts[concept]?.known ?? []) {
      const weight = (concepts[concept]?.weight ?? 0) * share * idf(term);
      if (weight > (counted.get(term)?.weight ?? 0)) counted.set(term, { concept, share, weight });
    }
  }

  const scores = new Map<string, number>();
  for (const { id, fields } of texts) {
    const norms = fields.map(({ length }, field) => {
      const b = BM25F.b[field] ?? 0;
      const average = averages[field] ?? 0;
      return (BM25F.weights[field] ?? 0) / (1 - b + (average === 0 ? 0 : (b * length) / average));
    });
    let bm25f = 0;
    let inName = 0;
    let inDescription = 0;
    const above = concepts.map(() => 0);
    const anywhere = concepts.map(() => 0);
    for (const [term, { concept, share, weight }] of counted) {
      const counts = fields.map(({ terms }, field) =>
        Math.min(terms.filter((other) => other === term).length, MOST_COUNTED[field] ?? 0),
      );
      const frequency = sum(counts.map((count, field) => count * (norms[field] ?? 0)));
      if (frequency === 0) continue;
      bm25f += (weight * (BM25F.k1 + 1) * frequency) / (BM25F.k1 + frequency);
      anywhere[concept] = Math.max(anywhere[concept] ?? 0, share);
      if (sum(counts.slice(0, 4)) > 0) above[concept] = Math.max(above[concept] ?? 0, share);
      if ((counts[0] ?? 0) > 0) inName += share;
      if ((counts[1] ?? 0) > 0) inDescription += share;
    }
    if (bm25f === 0) continue;
    const lengthOf = (field: number): number => fields[field]?.length ?? 0;
    const weigh = (shares: readonly number[]): number =>
      sum(shares.map((share, concept) => share * (concepts[concept]?.mass ?? 0))) / mass;
    const pairs = (held: readonly NaiveField[]): number => {
      const filter = pairFilter(held.flatMap((field) => field.pairs));
      const masses = new Map<number, number>();
      for (const [first, second] of parsed.pairs) {
        const [one, two] = [concepts[first], concepts[second]];
        if (one === undefined || two === undefined || one.known.length === 0 || two.known.length === 0)
          continue;
        const words = [first, second].map((concept) => parsed.concepts[concept]?.term ?? "");
        if (!words.every((word) => held.some(({ terms }) => terms.includes(word)))) continue;
        const [left = "", right = ""] = words;
        const hash = pairHash(termHash(left), termHash(right));
        if (holdsPair(filter, 0, filter.length, hash)) masses.set(hash, (one.mass + two.mass) / 2);
      }
      return sum([...masses.values()]) / mass;
    };
    scores.set(
      id,
      RERANK.bm25f * (bm25f / mass) +
        RERANK.weightAnywhere * weigh(anywhere) +
        RERANK.wordsAbove * (sum(above) / concepts.filter(({ known }) => known.length > 0).length) +
        RERANK.pairsAbove * pairs(fields.slice(0, 4)) +
        RERANK.pairsBody * pairs(fields.slice(4)) +
        RERANK.name * Math.min(inName / Math.max(fields[0]?.length ?? 0, 1), 1) +
        RERANK.description * Math.min(inDescription / Math.max(fields[1]?.length ?? 0, 1), 1) +
        RERANK.descriptionLength * (lengthOf(1) / (lengthOf(1) + 40)) +
        RERANK.bodyLength * (lengthOf(4) / (lengthOf(4) + 200)),
    );
  }
  return scores;
}

function naiveField(texts: readonly string[]): NaiveField {
  const words = texts.flatMap((text) => wordsOf(text)).map(termsOfWord);
  return {
    terms: words.flatMap(({ parts, joined }) => (joined === null ? parts : [...parts, joined])),
    length: sum(words.map(({ parts }) => parts.length)),
    pairs: texts.flatMap((text) => {
      const hashes = wordsOf(text).flatMap(wholeTerms).map(termHash);
      return hashes.flatMap((hash, at) =>
        hashes
          .slice(Math.max(at - 2, 0), at)
          .flatMap((before) => (before === hash ? [] : [pairHash(before, hash)])),
      );
    }),
  };
}

type Holders = (term: string) => number;

function knownTerms({ term, others }: Concept, holders: Holders): readonly Alternative[] {
  return [{ term, share: 1 }, ...others].filter((other) => holders(other.term) > 0);
}

function nearestTerm(
  { term }: Concept,
  vocabulary: readonly string[],
  holders: Holders,
): readonly Alternative[] {
  const limit = term.length >= 8 ? 2 : 1;
  return vocabulary
    .map((other) => ({ term: other, share: 0.7, distance: editDistance(term, other, limit) }))
    .filter((other) => other.distance <= limit && other.term[0] === term[0])
    .sort(
      (a, b) => a.distance - b.distance || holders(b.term) - holders(a.term) || (a.term < b.term ? -1 : 1),
    )
    .slice(0, 1);
}
