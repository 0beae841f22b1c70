import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSegmentBuilder } from "../../../src/engine/index/build-segment.ts";
import {
  DIMENSIONS,
  findTerm,
  firstPosting,
  fitsIn16Bits,
  liveCount,
  liveSize,
  postingsAt,
  type Segment,
  viewOf,
  withoutDocuments,
} from "../../../src/engine/index/segment.ts";
import { createSegmentWriter } from "../../../src/engine/index/segment-writer.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";
import { tableOf } from "../test-table.ts";

test("document numbers take 16 bits up to 65,536 documents", () => {
  expect([65_535, 65_536, 65_537].map(fitsIn16Bits)).toEqual([true, true, false]);
});

/** A segment whose only term has postings of these documents. */
function segmentWith(docs: readonly number[]): Segment {
  const writer = createSegmentWriter();
  const term = writer.termNumber("term");
  for (const number of docs) writer.addPosting(term, number, 1);
  return runToEnd(writer.finish());
}

test("the first posting that is not before a document is found in any range", () => {
  const docs = fc.uniqueArray(fc.nat(30), { maxLength: 12 }).map((numbers) => numbers.sort((a, b) => a - b));
  fc.assert(
    fc.property(docs, fc.nat(12), fc.nat(12), fc.nat(31), (numbers, one, other, wanted) => {
      const start = Math.min(one, other, numbers.length);
      const end = Math.min(Math.max(one, other), numbers.length);
      const first = numbers.findIndex((number, at) => at >= start && at < end && number >= wanted);
      const expected = first === -1 ? end : first;
      expect(firstPosting(segmentWith(numbers), start, end, wanted)).toBe(expected);
    }),
  );
});

describe("a view of a segment", () => {
  const builder = createSegmentBuilder(tableOf([["form", "file"], ["chart"]]));
  builder.add(doc("a", { name: "form", body: "zebra zebra zebra" }));
  builder.add(doc("b", { name: "chart form", body: "zebra" }));
  builder.add(doc("c", { name: "file", description: "form" }));
  const segment = runToEnd(builder.finish());
  const view = runToEnd(viewOf(segment));
  const headsOf = (...numbers: readonly number[]) =>
    Array.from({ length: DIMENSIONS }, (_, at) =>
      numbers.reduce((sum, number) => sum + (segment.heads[number * DIMENSIONS + at] ?? 0), 0),
    );
  const holders = (of: typeof view, term: string) => {
    const range = postingsAt(segment, findTerm(segment.terms, term));
    return liveCount(of, range);
  };

  test("a view knows its documents, their lengths and their mean vector", () => {
    expect(view).toMatchObject({ dead: null, deadCount: 0, lengthSums: [4, 1, 0, 0, 4] });
    expect(view.longest).toEqual([2, 1, 0, 0, 3]);
    expect(Array.from(view.headSum)).toEqual(headsOf(0, 1, 2));
    expect(headsOf(0, 1, 2)).not.toEqual(headsOf(1, 2));
    expect([liveSize(view), holders(view, "form"), holders(view, "zebra")]).toEqual([3, 3, 2]);
  });

  test("a view leaves out removed documents, one after another", () => {
    const two = withoutDocuments(view, [0]);
    expect(two).toMatchObject({ deadCount: 1, lengthSums: [3, 1, 0, 0, 1], longest: view.longest });
    expect(two.dead).toEqual(Uint8Array.of(1, 0, 0));
    expect(Array.from(two.headSum)).toEqual(headsOf(1, 2));
    expect([liveSize(two), holders(two, "form"), holders(two, "zebra")]).toEqual([2, 2, 1]);
    const none = withoutDocuments(two, [2, 1]);
    expect(none).toMatchObject({ deadCount: 3, lengthSums: [0, 0, 0, 0, 0] });
    expect(none.dead).toEqual(Uint8Array.of(1, 1, 1));
    expect(none.headSum).toEqual(new Float64Array(DIMENSIONS));
    expect([liveSize(none), holders(none, "form")]).toEqual([0, 0]);
  });

  test("a view is not changed by a removal", () => {
    expect(withoutDocuments(view, [])).toBe(view);
    const two = withoutDocuments(view, [0]);
    withoutDocuments(two, [1]);
    expect(two.dead).toEqual(Uint8Array.of(1, 0, 0));
    expect(Array.from(two.headSum)).toEqual(headsOf(1, 2));
    expect(Array.from(view.headSum)).toEqual(headsOf(0, 1, 2));
  });

  test("without a word table, a segment has no mean vector", () => {
    const plain = createSegmentBuilder();
    plain.add(doc("a"));
    const one = runToEnd(viewOf(runToEnd(plain.finish())));
    expect(withoutDocuments(one, [0]).headSum).toEqual(new Float64Array(DIMENSIONS));
  });
});
