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

const NO_IDS: ReadonlySet<string> = new Set();

type Scored = Pick<Candidate, "id" | "score">;

export function byRank(a: Scored, b: Scored): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The `most` best of all scores but those of `hidden` ids. A short sorted list, because almost every document fails to enter it. */
export function bestDocuments(
  { views }: SearchIndex,
  scores: readonly Float64Array[],
  most: number,
  hidden: ReadonlySet<string> = NO_IDS,
): BestDocuments {
  const best: Candidate[] = [];
  let total = 0;
  for (const [view, values] of scores.entries()) {
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score <= 0 || (hidden.size > 0 && hidden.has(views[view]?.segment.ids[doc] ?? ""))) continue;
      total++;
      if (best.length === most && score < (best[most - 1] as Candidate).score) continue;
      const candidate = { view, doc, id: views[view]?.segment.ids[doc] ?? "", score };
      best.splice(placeOf(candidate, best), 0, candidate);
      if (best.length > most) best.pop();
    }
  }
  return { total, best };
}

function placeOf(candidate: Candidate, best: readonly Candidate[]): number {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byRank(best[middle] as Candidate, candidate) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
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
