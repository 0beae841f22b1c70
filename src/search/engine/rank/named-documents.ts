import type { SearchIndex } from "../index/search-index.ts";
import type { Candidate } from "./best-documents.ts";

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
