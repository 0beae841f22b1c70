import { describe, expect, test } from "vitest";
import type { SearchDocument } from "../../src/engine/index/build-segment.ts";
import {
  createIndexBuilder,
  type SearchIndex,
  updateIndex,
  wholeSegment,
} from "../../src/engine/index/search-index.ts";
import { eachSlice, OPERATIONS_PER_STEP, runToEnd, type Steps } from "../../src/engine/steps.ts";
import { doc } from "./corpora.ts";

test.each([0, 1, OPERATIONS_PER_STEP, OPERATIONS_PER_STEP + 1, 3 * OPERATIONS_PER_STEP])(
  "slices cover %i operations once, in order",
  (count) => {
    const seen: [number, number][] = [];
    runToEnd(eachSlice(count, (from, to) => seen.push([from, to])));
    expect(seen.map(([from]) => from)).toEqual([0, ...seen.map(([, to]) => to)].slice(0, seen.length));
    expect(seen.at(-1)?.[1] ?? 0).toBe(count);
    for (const [from, to] of seen) expect(to - from).toBeLessThanOrEqual(OPERATIONS_PER_STEP);
  },
);

describe("indexing many documents yields", () => {
  const SIZE = 8_000;
  const builder = createIndexBuilder();
  for (let number = 0; number < SIZE; number++) builder.add(documentOf(number));
  const built = observed(builder.finish());
  const postings = built.result.views.reduce((sum, { segment }) => sum + segment.postingDocs.length, 0);
  const changed = {
    removed: Array.from({ length: SIZE / 4 }, (_, number) => `skill-${number}`),
    added: Array.from({ length: 300 }, (_, number) => documentOf(SIZE + number)),
  };
  const edited = (): SearchIndex =>
    runToEnd(updateIndex(built.result, { removed: ["skill-7"], added: [documentOf(7)] }));

  test.each([
    ["while finishing a build", () => built.steps],
    [
      "during an edit after which most of the index is written again",
      () => observed(updateIndex(built.result, changed)).steps,
    ],
    ["while an edited index becomes one segment", () => observed(wholeSegment(edited())).steps],
  ])("%s", (_what, stepsOf) => {
    // Each posting is copied or sorted at least twice.
    expect(stepsOf()).toBeGreaterThan((2 * postings * 0.75) / OPERATIONS_PER_STEP);
  });

  test("work in steps gives an index of every document", () => {
    expect(built.result.size).toBe(SIZE);
    expect(runToEnd(updateIndex(built.result, changed)).size).toBe(SIZE - SIZE / 4 + 300);
    expect(runToEnd(wholeSegment(edited())).ids).toHaveLength(SIZE);
  });
});

function observed<Result>(steps: Steps<Result>): { readonly result: Result; readonly steps: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, steps: count };
  }
}

/** Some words that all share, so that a term has as many postings as there are documents, and some of its own. */
function documentOf(number: number): SearchDocument {
  const own = Array.from({ length: 12 }, (_, word) => `w${number}x${word}`);
  return doc(`skill-${number}`, {
    description: "deploy a cluster",
    body: `review pull requests ${own.join(" ")}`,
  });
}
