import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../../../test/support/rounds.ts";
import { createSegmentBuilder, type SearchDocument } from "../../../src/engine/index/build-segment.ts";
import {
  type Segment,
  type SegmentView,
  viewOf,
  withoutDocuments,
} from "../../../src/engine/index/segment.ts";
import { createSegmentWriter, mergeSegments } from "../../../src/engine/index/segment-writer.ts";
import type { WordTable } from "../../../src/engine/meaning/embed.ts";
import { runToEnd, type Steps } from "../../../src/engine/steps.ts";
import { corpus, doc } from "../corpora.ts";
import { tableOf } from "../test-table.ts";

const TABLE = tableOf([
  ["deploy", "kubernetes", "cluster"],
  ["review", "pull", "request"],
  ["pdf", "form", "file"],
]);

function segmentOf(documents: readonly SearchDocument[], table?: WordTable): Segment {
  const builder = createSegmentBuilder(table);
  for (const one of documents) builder.add(one);
  return runToEnd(builder.finish());
}

/** Every number of a segment, as a text that is compared at once. */
const inspect = (segment: Segment): string =>
  JSON.stringify(segment, (_key, value: unknown) =>
    ArrayBuffer.isView(value)
      ? `${value.constructor.name} ${Array.from(value as Uint8Array).join(" ")}`
      : value,
  );

/** The segment of some documents, less those that are not live. */
const viewWith = (
  documents: readonly SearchDocument[],
  live: readonly boolean[],
  table?: WordTable,
): SegmentView =>
  withoutDocuments(
    runToEnd(viewOf(segmentOf(documents, table))),
    documents.flatMap((_, number) => (live[number] === false ? [number] : [])),
  );

test.each([
  ["without a word table", undefined],
  ["with a word table", TABLE],
])("a merge is the segment of all live documents, %s", (_how, table) => {
  const part = fc.record({
    documents: corpus,
    live: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const views = parts.map(({ documents, live }) => viewWith(documents, live, table));
      const all = parts.flatMap(({ documents, live }) => documents.filter((_, number) => live[number]));
      expect(inspect(runToEnd(mergeSegments(views)))).toBe(inspect(segmentOf(all, table)));
    }),
    rounds(20),
  );
});

test("a word of removed documents alone is not known afterwards", () => {
  const documents = [doc("a", { name: "zebra form" }), doc("b", { name: "form" })];
  expect(runToEnd(mergeSegments([viewWith(documents, [true, true])])).terms.text).toBe("formzebra");
  expect(runToEnd(mergeSegments([viewWith(documents, [false, true])])).terms.text).toBe("form");
});

test("a merge yields after each 1,024 documents", () => {
  const stepsFor = (count: number): number => {
    const writer = createSegmentWriter();
    const none = new Uint8Array(0);
    for (let number = 0; number < count; number++)
      writer.addDocument(`s${number}`, [], [none, none], undefined);
    return countSteps(mergeSegments([runToEnd(viewOf(runToEnd(writer.finish())))]));
  };
  const few = stepsFor(1_024);
  expect([1_025, 2_049].map((count) => stepsFor(count) - few)).toEqual([1, 2]);
});

test("a merge yields after 16,384 operations on terms and their postings", () => {
  // A term takes 16 operations, and each of its postings 1.
  const stepsFor = (terms: number, documents: number): number => {
    const body = Array.from({ length: terms }, (_, number) => `w${number}`).join(" ");
    const all = Array.from({ length: documents }, (_, number) => doc(`s${number}`, { name: "the", body }));
    return countSteps(mergeSegments([viewWith(all, [])]));
  };
  expect(stepsFor(964, 1) - stepsFor(963, 1)).toBe(1);
  expect(stepsFor(512, 16) - stepsFor(511, 16)).toBe(1);
});

function countSteps(steps: Steps<unknown>): number {
  let count = 0;
  while (steps.next().done !== true) count++;
  return count;
}
