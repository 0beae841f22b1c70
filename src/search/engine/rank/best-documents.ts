import type { SearchIndex } from "../index/search-index.ts";

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
  { views }: SearchIndex,
  scores: readonly Float64Array[],
  most: number,
): BestDocuments {
  // As plain numbers: most of those that enter leave again, and would each be an object to clear away.
  const bestScores = new Float64Array(most);
  const bestViews = new Uint32Array(most);
  const bestDocs = new Uint32Array(most);
  let length = 0;
  const idAt = (place: number): string => idOf(views, bestViews[place] as number, bestDocs[place] as number);
  let total = 0;
  for (const [view, values] of scores.entries()) {
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score <= 0) continue;
      total++;
      if (length === most && score < (bestScores[most - 1] as number)) continue;
      let place = 0;
      let end = length;
      while (place < end) {
        const middle = (place + end) >>> 1;
        const other = bestScores[middle] as number;
        const comesFirst = other === score ? idAt(middle) < idOf(views, view, doc) : other > score;
        if (comesFirst) place = middle + 1;
        else end = middle;
      }
      if (place === most) continue;
      bestScores.copyWithin(place + 1, place, most - 1);
      bestViews.copyWithin(place + 1, place, most - 1);
      bestDocs.copyWithin(place + 1, place, most - 1);
      bestScores[place] = score;
      bestViews[place] = view;
      bestDocs[place] = doc;
      if (length < most) length++;
    }
  }
  const best = Array.from({ length }, (_, place): Candidate => {
    const [view, doc] = [bestViews[place] as number, bestDocs[place] as number];
    return { view, doc, id: idAt(place), score: bestScores[place] as number };
  });
  return { total, best };
}

function idOf(views: SearchIndex["views"], view: number, doc: number): string {
  return views[view]?.segment.ids[doc] ?? "";
}
