import fc from "fast-check";
import { expect, test } from "vitest";
import { holdsPair, pairFilter, pairHash, termHash } from "../../../src/engine/index/segment.ts";

const hashes = fc.array(
  fc.tuple(fc.string(), fc.string()).map(([a, b]) => pairHash(termHash(a), termHash(b))),
);

test("a pair is the same in either order", () => {
  expect(pairHash(termHash("code"), termHash("review"))).toBe(pairHash(termHash("review"), termHash("code")));
});

test("a filter holds every pair it was made of, wherever it lies", () => {
  fc.assert(
    fc.property(hashes, fc.nat(20), (pairs, before) => {
      const filter = pairFilter(pairs);
      const bytes = new Uint8Array(before + filter.length + 3).fill(0);
      bytes.set(filter, before);
      for (const pair of pairs) expect(holdsPair(bytes, before, before + filter.length, pair)).toBe(true);
    }),
  );
});

test("a filter holds few others", () => {
  const pair = (kind: string, index: number) =>
    pairHash(termHash(`${kind}${index}`), termHash(`word${index}`));
  const filter = pairFilter(Array.from({ length: 1000 }, (_, index) => pair("in", index)));
  const wrong = Array.from({ length: 10_000 }, (_, index) => pair("out", index)).filter((hash) =>
    holdsPair(filter, 0, filter.length, hash),
  );
  expect(wrong.length).toBeLessThan(200);
});

test.each([
  ["a few pairs", 3, 16],
  ["ten pairs", 10, 16],
  ["eleven pairs", 11, 17],
  ["a hundred pairs", 100, 150],
])("%s take as many bytes as keep chance hits rare", (_what, count, bytes) => {
  const pairs = Array.from({ length: count }, (_, index) => pairHash(termHash(`a${index}`), termHash("b")));
  expect(pairFilter(pairs)).toHaveLength(bytes);
  expect(pairFilter([...pairs, ...pairs])).toHaveLength(bytes);
});

test("an empty filter holds nothing", () => {
  expect(holdsPair(pairFilter([]), 0, 0, 1)).toBe(false);
});

// Filters are part of cached indexes: other hashes or other bits would not find what those hold.
test("hashes and filters are those of cached indexes", () => {
  const [code, review, forms] = ["code", "review", "图表"].map(termHash) as [number, number, number];
  expect([termHash(""), code, review, forms]).toEqual([-2128831035, -114201356, 576156385, -1387735381]);
  const pairs = [pairHash(code, review), pairHash(review, forms), pairHash(0, 1), pairHash(-1, 2 ** 31 - 1)];
  expect(pairs).toEqual([437439732, 824680631, 1017219725, 1039053034]);
  expect(Buffer.from(pairFilter(pairs)).toString("hex")).toBe("4000008420001008080100308400020a");
});

test("a pair that was not added is told from others by each of its bits", () => {
  const hash = pairHash(termHash("code"), termHash("review"));
  const filter = pairFilter([hash]);
  const set = [...filter.keys()].flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit) => ({ byte, bit })).filter(
      ({ bit }) => ((filter[byte] ?? 0) >> bit) & 1,
    ),
  );
  expect(set).toHaveLength(4);
  for (const { byte, bit } of set) {
    const other = filter.slice();
    other[byte] = (other[byte] ?? 0) & ~(1 << bit);
    expect(holdsPair(other, 0, other.length, hash)).toBe(false);
  }
});
