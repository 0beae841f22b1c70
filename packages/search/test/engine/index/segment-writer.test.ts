import { expect, test } from "vitest";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import { DIMENSIONS } from "../../../src/engine/index/segment.ts";
import { createSegmentWriter, sortTerms } from "../../../src/engine/index/segment-writer.ts";
import { searchIndex } from "../../../src/engine/rank/rank-skills.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";

test("terms are sorted by code units, however many", () => {
  const sizes = [0, 1, 1_023, 1_024, 1_025, 5_000];
  for (const size of sizes) {
    const terms = Array.from({ length: size }, (_, number) =>
      `${(number * 7_919) % 10_007}é`.slice(number % 3),
    );
    const distinct = [...new Set(terms)];
    expect(runToEnd(sortTerms(distinct))).toEqual([...distinct].sort((a, b) => (a < b ? -1 : 1)));
  }
});

test("postings are sorted by term, and by document within a term", () => {
  const writer = createSegmentWriter();
  for (const id of ["a", "b", "c"])
    writer.addDocument(id, [1, 2, 3, 4, 5], [Uint8Array.of(1), Uint8Array.of(2, 3)], undefined);
  const [zebra, ant] = [writer.termNumber("zebra"), writer.termNumber("ant")];
  expect([zebra, ant, writer.termNumber("zebra")]).toEqual([0, 1, 0]);
  writer.addPosting(zebra, 0, 7);
  writer.addPosting(ant, 1, 8);
  writer.addPosting(zebra, 2, 9);
  const segment = runToEnd(writer.finish());
  expect(segment.terms.text).toBe("antzebra");
  expect(segment.postingStarts).toEqual(Uint32Array.of(0, 1, 3));
  expect(segment.postingDocs).toEqual(Uint16Array.of(1, 0, 2));
  expect(segment.postingCounts).toEqual(Uint16Array.of(8, 7, 9));
  expect(segment.lengths.map((lengths) => lengths[2])).toEqual([1, 2, 3, 4, 5]);
  expect(segment.pairStarts).toEqual(Uint32Array.of(0, 1, 3, 4, 6, 7, 9));
  expect(segment.pairs).toEqual(Uint8Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3));
});

test("filters of any size are written one after the other", () => {
  const writer = createSegmentWriter();
  const filters = [0, 255, 1, 256, 5_000, 3].map((size, number) => new Uint8Array(size).fill(number + 1));
  for (let at = 0; at < filters.length; at += 2) {
    writer.addDocument(`s${at}`, [at], filters.slice(at, at + 2), undefined);
  }
  const { pairs, pairStarts, ids, lengths } = runToEnd(writer.finish());
  expect(Array.from(pairStarts)).toEqual([0, 0, 255, 256, 512, 5_512, 5_515]);
  expect(Buffer.concat(filters).equals(pairs)).toBe(true);
  expect(ids).toEqual(["s0", "s2", "s4"]);
  expect(lengths.map((values) => Array.from(values))).toEqual([
    [0, 2, 4],
    ...Array.from({ length: 4 }, () => [0, 0, 0]),
  ]);
});

test("the vectors of a document are its own", () => {
  const writer = createSegmentWriter();
  const vectors = (count: number, value: number) => new Int8Array(count * DIMENSIONS).fill(value);
  for (const [number, passages] of [2, 0, 9].entries()) {
    const meaning = { head: vectors(1, number + 1), passages: vectors(passages, -number - 1) };
    writer.addDocument(`s${number}`, [], [], meaning);
  }
  const { heads, passageStarts, passages } = runToEnd(writer.finish());
  expect(Array.from(passageStarts)).toEqual([0, 2, 2, 11]);
  expect(heads.join()).toBe([1, 2, 3].map((value) => vectors(1, value).join()).join());
  expect(passages.join()).toBe([vectors(2, -1), vectors(9, -3)].join());
});

test("sorting yields after 16,384 operations, ten for each term", () => {
  const stepsFor = (count: number): number => {
    const terms = Array.from({ length: count }, (_, number) => String.fromCharCode(0x4e00 + number));
    const steps = sortTerms(terms);
    for (let done = 0; ; done++) if (steps.next().done === true) return done;
  };
  expect([1_638, 1_639, 3_277, 3_278].map(stepsFor)).toEqual([1, 2, 2, 3]);
});

test("more documents than 16 bits can number are found", () => {
  const builder = createIndexBuilder();
  for (let number = 0; number < 66_000; number++) builder.add(doc(`s${number}`, { name: `w${number}` }));
  const index = runToEnd(builder.finish());
  for (const number of [0, 463, 65_535, 65_536, 65_999]) {
    const found = searchIndex(index, `w${number}`, { limit: 2 }).results;
    expect(found.map(({ id }) => id)).toEqual([`s${number}`]);
  }
});
