import type { SearchIndex } from "./search-index.ts";

/** A document by segment and number. */
export interface Candidate {
  readonly view: number;
  readonly doc: number;
  readonly id: string;
  readonly score: number;
}

export interface BestDocuments {
  /** How many documents scored at all. */
  readonly total: number;
  /** Best first; equal scores by id. */
  readonly best: readonly Candidate[];
}

export function byRank(a: { readonly score: number; readonly id: string }, b: typeof a): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The `most` best of all scores: a short sorted list, as almost every document fails to enter it. */
export function bestDocuments(
  index: SearchIndex,
  scores: readonly Float64Array[],
  most: number,
): BestDocuments {
  const best: Candidate[] = [];
  let total = 0;
  /** Below this a document does not enter. */
  let least = 0;
  for (const [view, values] of scores.entries()) {
    const ids = index.views[view]?.segment.ids ?? [];
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score <= 0) continue;
      total++;
      if (score < least) continue;
      const candidate = { view, doc, id: ids[doc] ?? "", score };
      const last = best[most - 1];
      if (last !== undefined && byRank(candidate, last) > 0) continue;
      insert(best, candidate);
      if (best.length > most) best.pop();
      least = best[most - 1]?.score ?? 0;
    }
  }
  return { total, best };
}

function insert(best: Candidate[], candidate: Candidate): void {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other !== undefined && byRank(other, candidate) < 0) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, candidate);
}
