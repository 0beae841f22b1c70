import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createIndexBuilder, updateIndex } from "../../../src/engine/index/search-index.ts";
import { bestDocuments, byRank, namedDocuments } from "../../../src/engine/rank/score-documents.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

function indexOf(ids: readonly string[]) {
  const builder = createIndexBuilder();
  for (const id of ids) builder.add(doc(id));
  return runToEnd(builder.finish());
}

const IDS = Array.from({ length: 12 }, (_, number) => `s${(number * 5) % 12}`);
const INDEX = indexOf(IDS);

describe("the best documents", () => {
  test("the best documents are found as if excluded ones did not exist", () => {
    const scores = Float64Array.from(IDS, () => 1);
    const best = bestDocuments(INDEX, [scores], 3, new Set(["s0", "s10"]));
    expect(best.map(({ id }) => id)).toEqual(["s1", "s11", "s2"]);
  });

  test("the best documents are those that come first when all are sorted", () => {
    const score = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.double({ min: 0, max: 4, noNaN: true }));
    const scores = fc.array(score, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 14 }), (values, most) => {
        const scored = IDS.map((id, doc) => ({ id, doc, view: 0, score: values[doc] ?? 0 }));
        const matching = scored.filter(({ score }) => score > 0).sort(byRank);
        expect(bestDocuments(INDEX, [Float64Array.from(values)], most)).toEqual(matching.slice(0, most));
      }),
    );
  });

  test("the best documents are ordered by score, then by id", () => {
    const ranked = [
      { id: "b", score: 1 },
      { id: "a", score: 1 },
      { id: "c", score: 2 },
    ].sort(byRank);
    expect(ranked.map(({ id }) => id)).toEqual(["c", "a", "b"]);
    expect(byRank({ id: "a", score: 1 }, { id: "a", score: 1 })).toBe(0);
  });
});

test("documents are found by id whatever they scored, unless they were removed", () => {
  const index = runToEnd(updateIndex(INDEX, { removed: ["s3"], added: [doc("s1")] }));
  const scores = index.views.map(({ segment }) => new Float64Array(segment.ids.length).fill(7));
  expect(namedDocuments(index, scores, new Set(["s3", "s1", "other"]))).toEqual([
    { view: 1, doc: 0, id: "s1", score: 7 },
  ]);
});
