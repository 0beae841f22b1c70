import * as fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "../../src/pure/suggest.ts";

test.each([
  ["", "", 5, 0],
  ["", "abc", 5, 3],
  ["abc", "", 5, 3],
  ["pdf", "pdf", 5, 0],
  ["pdf", "pfd", 5, 1],
  ["xlxs", "xlsx", 5, 1],
  ["postgress", "postgres", 5, 1],
  ["kitten", "sitting", 5, 3],
  ["ca", "abc", 5, 3],
  ["kitten", "sitting", 3, 3],
  ["kitten", "sitting", 2, 3],
  ["kitten", "sitting", 0, 1],
  ["pdf", "pdf", 0, 0],
  ["short", "something long", 2, 3],
])("from '%s' to '%s' with the limit %i it takes %i", (a, b, limit, distance) => {
  expect(editDistance(a, b, limit)).toBe(distance);
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 9 });

test("the distance is that of the full table, or one more than the limit when it is exceeded", () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 10 }), (a, b, limit) => {
      expect(editDistance(a, b, limit)).toBe(Math.min(fullTableDistance(a, b), limit + 1));
    }),
    { numRuns: 3000 },
  );
});

test("the distance is the same in both directions", () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 10 }), (a, b, limit) => {
      expect(editDistance(a, b, limit)).toBe(editDistance(b, a, limit));
    }),
  );
});

/** Optimal string alignment with the whole table kept, straight from its definition. */
function fullTableDistance(a: string, b: string): number {
  const table = new Map<string, number>();
  const at = (i: number, j: number): number => table.get(`${i} ${j}`) ?? 0;
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const options = [i === 0 && j === 0 ? 0 : Number.POSITIVE_INFINITY];
      if (i > 0) options.push(at(i - 1, j) + 1);
      if (j > 0) options.push(at(i, j - 1) + 1);
      if (i > 0 && j > 0) options.push(at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        options.push(at(i - 2, j - 2) + 1);
      table.set(`${i} ${j}`, Math.min(...options));
    }
  }
  return at(a.length, b.length);
}
