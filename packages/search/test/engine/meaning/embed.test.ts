import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DIMENSIONS } from "../../../src/engine/index/segment.ts";
import { createEmbedder, similarityAt, vectorOf, type WordTable } from "../../../src/engine/meaning/embed.ts";

const ROWS = 4;

/** Scales as the real table has them, and up to thirty times as large. */
const table = fc
  .record({
    scales: fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: ROWS, maxLength: ROWS }),
    rows: fc.uint8Array({ minLength: (ROWS * DIMENSIONS) / 2, maxLength: (ROWS * DIMENSIONS) / 2 }),
  })
  .map(({ scales, rows }): WordTable => {
    const words = { text: "", starts: new Uint32Array(1) };
    return { version: "test", words, scales: Int32Array.from(scales), rows };
  });
const mentions = fc.array(
  fc.record({ row: fc.nat(ROWS - 1), count: fc.constantFrom(0.25, 0.5, 1, 2, 3, 100) }),
  { maxLength: 12 },
);

type Mentions = readonly { readonly row: number; readonly count: number }[];

/** The obvious version: one number after the other. */
function weightedMean({ scales, rows }: WordTable, added: Mentions): readonly number[] {
  const sums = Array.from({ length: DIMENSIONS }, (_, at) =>
    added.reduce((sum, { row, count }) => {
      const byte = rows[(row * DIMENSIONS + at) >> 1] ?? 0;
      const number = (at % 2 === 0 ? byte & 15 : byte >> 4) - 8;
      return sum + Math.round(64 * Math.sqrt(count)) * (scales[row] ?? 0) * number;
    }, 0),
  );
  const length = Math.sqrt(sums.reduce((squares, sum) => squares + sum * sum, 0)) || 1;
  return sums.map((sum) => Math.min(Math.max(Math.round(sum * (400 / length)), -127), 127) + 0);
}

const embed = (from: WordTable, added: Mentions): readonly number[] => {
  const embedder = createEmbedder(from);
  for (const { row, count } of added) embedder.add(row, count);
  return [...vectorOf(embedder)];
};

describe("the vector of a text", () => {
  test("a vector is the weighted mean of its words, at one length", () => {
    fc.assert(
      fc.property(table, mentions, (from, added) => {
        expect(embed(from, added)).toEqual(weightedMean(from, added));
      }),
    );
  });

  test("a vector depends neither on the order of words nor on earlier texts", () => {
    fc.assert(
      fc.property(table, mentions, mentions, (from, before, added) => {
        const embedder = createEmbedder(from);
        for (const { row, count } of before) embedder.add(row, count);
        vectorOf(embedder);
        for (const { row, count } of [...added].reverse()) embedder.add(row, count);
        expect([...vectorOf(embedder)]).toEqual(embed(from, added));
      }),
    );
  });

  test("a vector has no number below -127 or above 127", () => {
    const rows = new Uint8Array(DIMENSIONS / 2).fill(0x88);
    // All but two numbers are 0, so that these two have the whole length.
    rows[0] = 0x0f;
    const words = { text: "", starts: new Uint32Array(1) };
    const vector = embed({ version: "test", words, scales: Int32Array.of(1), rows }, [{ row: 0, count: 1 }]);
    expect(vector.slice(0, 3)).toEqual([127, -127, 0]);
  });

  test("a vector is written where it was asked for, and nowhere else", () => {
    const rows = new Uint8Array(DIMENSIONS / 2).fill(0x9f);
    const words = { text: "", starts: new Uint32Array(1) };
    const embedder = createEmbedder({ version: "test", words, scales: Int32Array.of(1), rows });
    const vectors = new Int8Array(3 * DIMENSIONS);
    embedder.add(0, 1);
    embedder.take(vectors, DIMENSIONS);
    const written = [...vectors.keys()].filter((at) => vectors[at] !== 0);
    expect([written.length, written[0], written.at(-1)]).toEqual([
      DIMENSIONS,
      DIMENSIONS,
      2 * DIMENSIONS - 1,
    ]);
  });
});

describe("how alike two vectors are", () => {
  const vector = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS });

  test("similarity is the sum of products, 1 at the length of a vector", () => {
    fc.assert(
      fc.property(vector, vector, vector, (before, one, other) => {
        const sum = one.reduce((total, number, at) => total + number * (other[at] ?? 0), 0);
        const both = Int8Array.of(...before, ...one);
        expect(similarityAt(both, DIMENSIONS, other)).toBe(sum / 160_000);
      }),
    );
  });
});
