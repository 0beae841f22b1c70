import { FIELD_COUNT } from "./fields.ts";
import type { Segment } from "./segment.ts";
import { type TermTable, termAt } from "./term-table.ts";

/** True when every number of a segment read from disk points where one that was built here could point. */
export function isWellFormed(segment: Segment): boolean {
  const { ids, lengths, terms, postingStarts, postingDocs, postingCounts, pairStarts, pairs } = segment;
  return (
    ids.length > 0 &&
    new Set(ids).size === ids.length &&
    lengths.length === FIELD_COUNT &&
    lengths.every((values) => values.length === ids.length) &&
    terms.starts.length === terms.size + 1 &&
    rises(terms.starts, terms.text.length) &&
    isSorted(terms) &&
    postingStarts.length === terms.size + 1 &&
    rises(postingStarts, postingDocs.length) &&
    postingCounts.length === postingDocs.length &&
    risesWithin(postingStarts, postingDocs, ids.length) &&
    pairStarts.length === 2 * ids.length + 1 &&
    rises(pairStarts, pairs.length)
  );
}

/** From 0 to `last`, never falling. */
function rises(starts: Uint32Array, last: number): boolean {
  if (starts[0] !== 0 || starts.at(-1) !== last) return false;
  for (let index = 1; index < starts.length; index++) {
    if ((starts[index] ?? 0) < (starts[index - 1] ?? 0)) return false;
  }
  return true;
}

function isSorted(terms: TermTable): boolean {
  let before = "";
  for (let index = 0; index < terms.size; index++) {
    const term = termAt(terms, index);
    if (term <= before) return false;
    before = term;
  }
  return true;
}

/** Every list holds rising numbers below `limit`. */
function risesWithin(starts: Uint32Array, values: Uint32Array, limit: number): boolean {
  for (let list = 0; list + 1 < starts.length; list++) {
    const end = starts[list + 1] ?? 0;
    let before = -1;
    for (let at = starts[list] ?? 0; at < end; at++) {
      const value = values[at] ?? 0;
      if (value <= before || value >= limit) return false;
      before = value;
    }
  }
  return true;
}
