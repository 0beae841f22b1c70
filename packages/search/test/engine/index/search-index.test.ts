import { describe, expect, test } from "vitest";
import {
  createIndexBuilder,
  EMPTY_INDEX,
  type SearchIndex,
  updateIndex,
  wholeSegment,
} from "../../../src/engine/index/search-index.ts";
import { liveSize } from "../../../src/engine/index/segment.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

function indexOf(size: number): SearchIndex {
  const builder = createIndexBuilder();
  for (let number = 0; number < size; number++) builder.add(doc(`s${number}`, { body: "word word" }));
  return runToEnd(builder.finish());
}

const update = (index: SearchIndex, removed: readonly string[], added: readonly string[] = []): SearchIndex =>
  runToEnd(updateIndex(index, { removed, added: added.map((id) => doc(id)) }));
const sizes = ({ views }: SearchIndex) => views.map(liveSize);
const dead = ({ views }: SearchIndex) => views.map(({ deadCount }) => deadCount);
const names = (count: number) => Array.from({ length: count }, (_, number) => `s${number}`);

describe("the segments of an index", () => {
  test("merge as a number counts in powers of four", () => {
    let index = indexOf(100);
    const seen: (readonly number[])[] = [];
    for (let number = 0; number < 16; number++) {
      index = update(index, [], [`new${number}`]);
      seen.push(sizes(index));
    }
    expect(seen).toEqual([
      [100, 1],
      [100, 1, 1],
      [100, 1, 1, 1],
      [100, 4],
      [100, 4, 1],
      [100, 4, 1, 1],
      [100, 4, 1, 1, 1],
      [100, 4, 4],
      [100, 4, 4, 1],
      [100, 4, 4, 1, 1],
      [100, 4, 4, 1, 1, 1],
      [100, 4, 4, 4],
      [100, 4, 4, 4, 1],
      [100, 4, 4, 4, 1, 1],
      [100, 4, 4, 4, 1, 1, 1],
      [100, 16],
    ]);
  });

  test("merge with a smaller one before them only once there are four", () => {
    const several = names(30).map((name) => `new-${name}`);
    expect(sizes(update(indexOf(10), [], several))).toEqual([10, 30]);
    const more = update(
      update(indexOf(10), [], several),
      [],
      several.map((name) => `${name}-more`),
    );
    expect(sizes(more)).toEqual([10, 30, 30]);
    expect(
      sizes(
        update(
          more,
          [],
          names(20).map((name) => `last-${name}`),
        ),
      ),
    ).toEqual([90]);
  });

  test("segments are written again when more than a fifth is removed", () => {
    expect(dead(update(indexOf(10), names(2)))).toEqual([2]);
    expect(dead(update(indexOf(10), names(3)))).toEqual([0]);
    expect(sizes(update(indexOf(10), names(3)))).toEqual([7]);
  });

  test("segments are dropped when nothing is left", () => {
    expect(update(indexOf(2), names(2))).toMatchObject({ size: 0, views: [] });
  });

  test("stay when nothing changes", () => {
    const index = indexOf(2);
    expect(update(index, [])).toBe(index);
    expect(sizes(update(index, ["unknown"]))).toEqual([2]);
  });

  test("know a document once, however often it is added or removed", () => {
    const index = indexOf(10);
    const removed = update(update(index, ["s1"]), ["s1"]);
    expect([removed.size, dead(removed)]).toEqual([9, [1]]);
    expect(update(index, [], ["s1", "s1"]).size).toBe(10);
    expect(update(index, ["s1"], ["s1"]).size).toBe(10);
  });

  test("know the last of the documents with one id", () => {
    const builder = createIndexBuilder();
    for (const name of ["first", "second", "third"]) builder.add(doc("s1", { name }));
    builder.add(doc("s2", { name: "chart" }));
    const segment = runToEnd(wholeSegment(runToEnd(builder.finish())));
    expect([segment.ids, segment.terms.text]).toEqual([["s1", "s2"], "chartthird"]);
  });
});

test("an index knows how many terms its live documents have", () => {
  const builder = createIndexBuilder();
  builder.add(doc("a", { name: "pdf", description: "fills forms", keywords: ["acrobat"], body: "one two" }));
  builder.add(doc("b", { name: "charts", examples: ["draw it", "plot"] }));
  const index = runToEnd(builder.finish());
  expect([EMPTY_INDEX.words, index.words]).toEqual([0, 9]);
  expect(update(index, ["a"]).words).toBe(3);
});

test("a segment is written again only if documents are missing or elsewhere", () => {
  const index = indexOf(10);
  expect(runToEnd(wholeSegment(index))).toBe(index.views[0]?.segment);
  expect(runToEnd(wholeSegment(update(index, ["s1"]))).ids).toHaveLength(9);
  expect(runToEnd(wholeSegment(update(index, [], ["t1"]))).ids).toHaveLength(11);
  expect(runToEnd(wholeSegment(EMPTY_INDEX)).ids).toEqual([]);
});

describe("what one occurrence is worth", () => {
  test("the norm of an empty field is the weight of the field, four times that where nothing has it", () => {
    expect(EMPTY_INDEX.norms.map((norms) => Array.from(norms))).toEqual([[12], [8], [8], [8], [2]]);
  });

  test("the norm of a field of average length is the weight of the field", () => {
    const builder = createIndexBuilder();
    builder.add(doc("only", { name: "x", description: "one two", body: "word word word" }));
    const { norms } = runToEnd(builder.finish());
    expect([norms[0]?.[1], norms[1]?.[2], norms[4]?.[3]]).toEqual([3, 2, 0.5]);
  });

  test("falls with the length of its field, and follows the average of live documents", () => {
    const builder = createIndexBuilder();
    builder.add(doc("short", { name: "x", body: "word" }));
    builder.add(doc("long", { name: "x", body: "word word word" }));
    const { norms } = runToEnd(builder.finish());
    const rounded = (values: Float32Array | undefined) =>
      Array.from(values ?? [], (value) => Math.round(value * 1000) / 1000);
    expect(rounded(norms[0])).toEqual([12, 3]);
    expect(rounded(norms[1])).toEqual([8]);
    expect(rounded(norms[4])).toEqual([2, 0.8, 0.5, 0.364]);
    expect(norms).toHaveLength(5);
  });
});
