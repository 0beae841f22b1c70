import { describe, expect, test } from "vitest";
import { aboveFloor, countFitting } from "../../../src/engine/rank/floor.ts";
import { tableOf } from "../test-table.ts";

const TABLE = tableOf([["pdf"]]);
/** Some words, that the catalogue is a little about. */
const ASKED = { mass: 10, searched: 4, toAll: 0.1 };
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
  expect(countFitting(indexOf(words, TABLE), ranked, ASKED)).toBe(count);
});

describe("beside a first result with a score of 10", () => {
  const FITS = [4, 0.6, 0.6, 0.8] as const;
  const scores = (first: number, others: readonly number[]) =>
    [first, ...others].map((score) => result(score, ...FITS));

  test.each([
    ["four others with 4 fit", [4, 4, 4, 4], 5],
    ["nothing below 4 does", [4, 3.99, 4], 2],
    ["from the sixth on, others with 7 fit", [9, 9, 9, 9, 7, 7], 7],
    ["from the sixth on, nothing below 7 does", [9, 9, 9, 9, 6.99], 5],
  ])("%s", (_what, others, count) => {
    expect(countFitting(indexOf(2 ** 20, TABLE), scores(10, others), ASKED)).toBe(count);
  });
});

test.each([
  [9, 10],
  [10, 0],
])("what fits may be behind %i others that do not", (others, count) => {
  const ranked = [
    ...Array.from({ length: others }, () => result(6, 0, 0, 0, 0)),
    result(6, 4, 0.6, 0.6, 0.8),
  ];
  expect(countFitting(indexOf(2 ** 20, TABLE), ranked, ASKED)).toBe(count);
});

test("by words alone, words are all the evidence", () => {
  expect(countFitting(indexOf(2 ** 20), [result(4, 4, 0, 0, 0.9)], ASKED)).toBe(1);
  expect(countFitting(indexOf(2 ** 20), [result(2, 0.8, 0, 0, 0.15)], ASKED)).toBe(0);
});

test("what is nearer to the catalogue as a whole needs less, and in a handful of skills that counts little", () => {
  const fits = (size: number, toAll: number): number => {
    const asked = { mass: 15, searched: 5, toAll };
    return countFitting(indexOf(2 ** 20, TABLE, size), [result(4, 1.2, 0.35, 0.35, 0.3)], asked);
  };
  expect([fits(3000, 0.02), fits(3000, 0.2)]).toEqual([0, 1]);
  expect([fits(1, 0.02), fits(1, 0.2)]).toEqual([0, 0]);
});

test("a sentence may share a smaller part of itself with a skill than a word or two", () => {
  const fits = (searched: number): number =>
    countFitting(indexOf(2 ** 16, TABLE), [result(4, 1, 0.4, 0.3, 0.2)], { mass: 15, searched, toAll: 0.1 });
  expect([fits(2), fits(8)]).toEqual([0, 1]);
});

// What each kind of evidence weighs was fitted on prompts that are not part of the repository (docs/explanation/search.md).
// These sums show when a weight changes by mistake; after a change on purpose they are replaced.
describe("how far above the floor, in one skill, in many, and by words alone, is", () => {
  const INDEXES = [
    { size: 1, table: TABLE },
    { size: 1e9, table: TABLE },
    { size: 100, table: undefined },
  ];
  const sums = (found: Partial<ReturnType<typeof result>>, doublings = 14, toAll = 0) =>
    INDEXES.map((index) =>
      aboveFloor(
        { words: 2 ** doublings, ...index },
        { mass: 10, searched: 0, toAll },
      )({ ...result(0, 0, 0, 0, 0), ...found }),
    );

  test.each([
    ["nothing", {}, [-7.695486, -9.1, -7.06]],
    ["a score by words of 1", { lexical: 1 }, [-5.848016, -7.9, -4.66]],
    ["half of the query", { coverage: 0.5 }, [-6.02943, -8.7, -1.863898]],
    ["all of the query", { coverage: 1 }, [-6.512812, -8.3, -0.106104]],
    ["a description that is rather alike", { head: 0.5 }, [-4.650229, -6.75, -7.06]],
    ["a passage that is rather alike", { passage: 0.5 }, [-4.306965, -8.65, -7.06]],
  ])("%s", (_what, found, expected) => {
    expect(sums(found)).toEqual(expected);
  });

  test("a catalogue that is about the same", () => {
    expect(sums({}, 14, 0.1)).toEqual([-7.695083, -8.27, -7.06]);
  });

  test.each([
    ["no text at all", -1, [-4.702893, -5.7, 7.096102]],
    ["little text", 8, [-4.702893, -5.7, 1.976102]],
    ["more text", 13, [-5.370052, -8.2, -1.223898]],
    ["much text", 20, [-8.650908, -11.7, -5.703898]],
  ])("half of the query, in %s", (_what, doublings, expected) => {
    expect(sums({ coverage: 0.5 }, doublings)).toEqual(expected);
  });
});
