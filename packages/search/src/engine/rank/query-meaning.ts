import type { SearchIndex } from "../index/search-index.ts";
import { createEmbedder, equalSigns, SAME, signsOf, vectorOf } from "../meaning/embed.ts";
import { DIMENSIONS } from "../meaning/word-table.ts";
import { runToEnd } from "../steps.ts";
import type { ParsedQuery } from "./parse-query.ts";
import type { ResolvedQuery } from "./resolve-terms.ts";
import type { ScoredDocument } from "./score-documents.ts";

/** The vector of a query; undefined when no word of it is in the table, or there is no table. */
export function queryMeaning(
  { table }: SearchIndex,
  { concepts }: ParsedQuery,
  { terms }: ResolvedQuery,
): Int8Array | undefined {
  if (table === undefined) return undefined;
  const embedder = createEmbedder(table);
  let known = 0;
  const add = (term: string, weight: number): boolean => {
    const row = embedder.rowOf(term);
    if (row === -1) return false;
    embedder.add(row, weight);
    known++;
    return true;
  };
  for (const [number, { term, weight }] of concepts.entries()) {
    if (add(term, weight)) continue;
    // A word that the table does not have means what it was corrected to, or what the user says it means.
    for (const other of terms) if (other.concept === number) add(other.term, weight * other.share);
  }
  return known === 0 ? undefined : vectorOf(embedder);
}

/** How alike the query is to the catalogue on the whole: the mean of its similarities to what is above the bodies. */
export function similarityToAll({ views, size }: SearchIndex, meaning: Int8Array | undefined): number {
  if (meaning === undefined) return 0;
  let sum = 0;
  for (const { headSum } of views) {
    for (let at = 0; at < DIMENSIONS; at++) sum += (headSum[at] as number) * (meaning[at] as number);
  }
  return sum / (SAME * Math.max(size, 1));
}

/**
 * The documents that are most alike to a query as far as the signs of both tell: at least `most`, if so many are alike at all,
 * and those that are as alike as the last of them.
 */
export function roughlyAlike(
  { views }: SearchIndex,
  meaning: Int8Array,
  most: number,
): readonly ScoredDocument[] {
  const wanted = runToEnd(signsOf(meaning));
  const scores = views.map(({ segment, dead }) => {
    const equal = equalSigns(segment.signs, wanted);
    if (dead !== null) for (let doc = 0; doc < equal.length; doc++) if (dead[doc] === 1) equal[doc] = 0;
    return equal;
  });
  const least = leastOf(scores, most);
  const found: ScoredDocument[] = [];
  for (const [view, values] of scores.entries()) {
    const ids = views[view]?.segment.ids ?? [];
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      if (score >= least) found.push({ view, doc, id: ids[doc] ?? "", score });
    }
  }
  return found;
}

/** The score that at least `most` have, if so many are alike at all. */
function leastOf(scores: readonly Uint8Array[], most: number): number {
  const counts = new Uint32Array(DIMENSIONS + 1);
  for (const values of scores) {
    for (let doc = 0; doc < values.length; doc++) {
      const score = values[doc] as number;
      counts[score] = (counts[score] as number) + 1;
    }
  }
  let found = 0;
  for (let score = DIMENSIONS; score > LEAST_ALIKE; score--) {
    found += counts[score] as number;
    if (found >= most) return score;
  }
  return LEAST_ALIKE;
}

/** Unrelated vectors agree on about 50 % of sign bits, so subtract that baseline. */
const LEAST_ALIKE = DIMENSIONS / 2 + 1;
