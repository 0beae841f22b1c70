import type { SearchIndex } from "../index/search-index.ts";

/** A document by segment and number. */
export interface Candidate {
  readonly view: number;
  readonly doc: number;
  readonly id: string;
  readonly score: number;
}

const NO_IDS: ReadonlySet<string> = new Set();

type Scored = Pick<Candidate, "id" | "score">;

export function byRank(a: Scored, b: Scored): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The `most` best of all scores above 0 but those of `hidden` ids, best first, equal ones by id. */
export function bestDocuments(
  index: SearchIndex,
  scores: readonly Float64Array[],
  most: number,
  hidden: ReadonlySet<string> = NO_IDS,
): readonly Candidate[] {
  const least = leastOfBest(scores, most + hidden.size);
  const found: Candidate[] = [];
  for (const [view, values] of scores.entries()) {
    const ids = index.views[view]?.segment.ids ?? [];
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score >= least && score > 0) found.push({ view, doc, id: ids[doc] ?? "", score });
    }
  }
  return bestOf(found, most, hidden);
}

/** The `most` best of these but those of `hidden` ids. */
export function bestOf(
  found: readonly Candidate[],
  most: number,
  hidden: ReadonlySet<string>,
): readonly Candidate[] {
  return found
    .filter(({ id }) => !hidden.has(id))
    .sort(byRank)
    .slice(0, most);
}

const SIZES = 512;

/** A score that at least `most` have, if so many are above 0, and few more: scores are counted by size. */
function leastOfBest(scores: readonly Float64Array[], most: number): number {
  let highest = 0;
  for (const values of scores) {
    for (let doc = 0; doc < values.length; doc++) {
      if ((values[doc] as number) > highest) highest = values[doc] as number;
    }
  }
  if (highest === 0) return 0;
  const unit = highest / SIZES;
  const perUnit = SIZES / highest;
  const counts = new Uint32Array(SIZES + 1);
  for (const values of scores) {
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score <= 0) continue;
      const size = (score * perUnit) | 0;
      counts[size] = (counts[size] as number) + 1;
    }
  }
  let found = 0;
  for (let size = SIZES; size > 0; size--) {
    found += counts[size] as number;
    // One lower: a product may differ in the last bit.
    if (found >= most) return (size - 1) * unit;
  }
  return 0;
}

/** The documents of these ids, whatever they scored. */
export function namedDocuments(
  { views }: SearchIndex,
  scores: readonly Float64Array[],
  ids: ReadonlySet<string>,
): readonly Candidate[] {
  return [...ids].flatMap((id) =>
    views.flatMap(({ segment, dead }, view): readonly Candidate[] => {
      const doc = segment.ids.findIndex((other, at) => other === id && dead?.[at] !== 1);
      return doc === -1 ? [] : [{ view, doc, id, score: scores[view]?.[doc] ?? 0 }];
    }),
  );
}
