import { expect, test } from "vitest";
import { countFitting } from "../../../../src/search/engine/rank/floor.ts";
import { tableOf } from "../test-table.ts";

const TABLE = tableOf([["pdf"]]);
const result = (score: number, lexical: number, head: number, passage: number, coverage: number) => ({
  ...{ view: 0, doc: 0, id: "a", counts: new Uint16Array() },
  ...{ score, lexical, head, passage, coverage },
});
const indexOf = (words: number, table?: typeof TABLE, size = words / 400) => ({ words, size, table });

test.each([
  ["nothing was ranked", [], 2 ** 20, 0],
  ["words and meaning agree", [result(6, 4, 0.6, 0.6, 0.8)], 2 ** 20, 1],
  ["one common word matches", [result(2, 0.8, 0.1, 0.2, 0.15)], 2 ** 20, 0],
  ["the meaning alone is near, and there is little text", [result(2, 0, 0.6, 0.6, 0)], 2 ** 9, 1],
  ["the meaning alone is a little near, and there is much text", [result(2, 0, 0.3, 0.3, 0)], 2 ** 20, 0],
  ["others are far behind", [result(6, 4, 0.6, 0.6, 0.8), result(2, 1, 0.2, 0.2, 0.1)], 2 ** 20, 1],
  ["others are close", [result(6, 4, 0.6, 0.6, 0.8), result(5, 1, 0.2, 0.2, 0.1)], 2 ** 20, 2],
] as const)("when %s", (_when, ranked, words, count) => {
  expect(countFitting(indexOf(words, TABLE), ranked, { mass: 10, toAll: 0.1 })).toBe(count);
});

test("beyond the first five, only what is nearly as good as the best fits", () => {
  const ranked = Array.from({ length: 9 }, (_, place) => result(place === 0 ? 6 : 3, 4, 0.6, 0.6, 0.8));
  expect(countFitting(indexOf(2 ** 20, TABLE), ranked, { mass: 10, toAll: 0.1 })).toBe(5);
});

test("by words alone, words are all the evidence", () => {
  expect(countFitting(indexOf(2 ** 20), [result(4, 4, 0, 0, 0.9)], { mass: 10, toAll: 0.1 })).toBe(1);
  expect(countFitting(indexOf(2 ** 20), [result(2, 0.8, 0, 0, 0.15)], { mass: 10, toAll: 0.1 })).toBe(0);
});

test("what is nearer to the catalogue as a whole needs less, and in a handful of skills that counts little", () => {
  const fits = (size: number, toAll: number): number =>
    countFitting(indexOf(2 ** 20, TABLE, size), [result(4, 1.2, 0.35, 0.35, 0.3)], { mass: 15, toAll });
  expect([fits(3000, 0.02), fits(3000, 0.2)]).toEqual([0, 1]);
  expect([fits(1, 0.02), fits(1, 0.2)]).toEqual([0, 0]);
});
