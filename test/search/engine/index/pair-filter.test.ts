import fc from "fast-check";
import { expect, test } from "vitest";
import {
  holdsPair,
  pairFilter,
  pairHash,
  termHash,
} from "../../../../src/search/engine/index/pair-filter.ts";

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
