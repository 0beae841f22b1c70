import { everySlice, type Steps } from "../../../catalog/steps.ts";
import { FIELD_COUNT } from "../index/fields.ts";
import type { DocNumbers, Segment } from "../index/segment.ts";
import { termsRise } from "../index/term-table.ts";

/** True when every number of a segment read from disk points where one that was built here could point. */
export function* isWellFormed(segment: Segment): Steps<boolean> {
  const { ids, lengths, terms, postingStarts, postingDocs, postingCounts, pairStarts, pairs } = segment;
  return (
    ids.length > 0 &&
    lengths.length === FIELD_COUNT &&
    lengths.every((values) => values.length === ids.length) &&
    terms.starts.length === terms.size + 1 &&
    postingStarts.length === terms.size + 1 &&
    postingCounts.length === postingDocs.length &&
    pairStarts.length === 2 * ids.length + 1 &&
    (yield* areDistinct(ids)) &&
    (yield* rise(terms.starts, terms.text.length)) &&
    (yield* everySlice(terms.size, (from, to) => termsRise(terms, from, to))) &&
    (yield* rise(postingStarts, postingDocs.length)) &&
    (yield* listsRise(postingStarts, postingDocs, ids.length)) &&
    (yield* rise(pairStarts, pairs.length))
  );
}

function* areDistinct(ids: readonly string[]): Steps<boolean> {
  const seen = new Set<string>();
  return yield* everySlice(ids.length, (from, to) => {
    for (let doc = from; doc < to; doc++) seen.add(ids[doc] as string);
    return seen.size === to;
  });
}

/** From 0 to `last`, never falling. */
function* rise(starts: Uint32Array, last: number): Steps<boolean> {
  if (starts[0] !== 0 || starts.at(-1) !== last) return false;
  return yield* everySlice(starts.length - 1, (from, to) => {
    for (let index = from; index < to; index++) {
      if ((starts[index + 1] as number) < (starts[index] as number)) return false;
    }
    return true;
  });
}

/** Every list holds rising numbers below `limit`. The lists cover all values, one after another. */
function* listsRise(starts: Uint32Array, values: DocNumbers, limit: number): Steps<boolean> {
  let list = 0;
  let before = -1;
  return yield* everySlice(values.length, (from, to) => {
    for (let at = from; at < to; at++) {
      while (at >= (starts[list] as number)) {
        list++;
        before = -1;
      }
      const value = values[at] as number;
      if (value <= before || value >= limit) return false;
      before = value;
    }
    return true;
  });
}
