import { describe, expect, test } from "vitest";
import { manyEntries } from "../../../../../test/support/skills.ts";
import { costOf, fitEntries, fitNames } from "../../../src/mcp/describe/fit-entries.ts";

const THREE = manyEntries(3);
const LINES = THREE.map(({ listedAs, skill }) => `- ${listedAs}: ${skill.description}\n`);
const NAMES = "skill-000000, skill-000001, skill-000002\n";

describe("three skills in one room", () => {
  const one = `${LINES[0]}Also: skill-000001, skill-000002\n`;
  const two = `${LINES[0]}${LINES[1]}Also: skill-000002\n`;
  const all = LINES.join("");
  test.each([
    ["all with a description, where that fits", all.length, all],
    ["two with a description, where one character is missing", all.length - 1, two],
    ["two with a description, where no more fits", two.length, two],
    ["one with a description, where one character is missing", two.length - 1, one],
    ["one with a description, where no more fits", one.length, one],
    ["names alone, where one character is missing", one.length - 1, NAMES],
    ["names alone, where no more fits", NAMES.length, NAMES],
  ])("are %s", (_, size, text) => {
    expect(fitEntries(THREE, [size])).toEqual({ filled: [{ text, count: 3 }], isWhole: text === all });
  });

  test("are not there at all where not every name fits", () => {
    expect(fitEntries(THREE, [NAMES.length - 1])).toBeUndefined();
  });
});

test("no skill is whole in no room at all", () => {
  expect(fitEntries([], [])).toEqual({ filled: [], isWhole: true });
  expect(fitEntries([], [-1])).toEqual({ filled: [{ text: "", count: 0 }], isWhole: true });
  expect(fitEntries(THREE, [])).toBeUndefined();
});

test("a description that is cut begins with what the skill does, and one that fits stays whole", () => {
  const descriptions = ["Use when asked for x.", `Use when the user wants to ${"fill forms ".repeat(9)}`];
  const entries = manyEntries(2, (index) => descriptions[index] ?? "");
  const text = `- skill-000000: Use when asked for x.\n- skill-000001: fill forms fill forms fill…\n`;
  expect(fitEntries(entries, [costOf(text)])?.filled).toEqual([{ text, count: 2 }]);
  const whole = entries.map(({ listedAs, skill }) => `- ${listedAs}: ${skill.description}\n`).join("");
  expect(fitEntries(entries, [costOf(whole)])).toEqual({
    filled: [{ text: whole, count: 2 }],
    isWhole: true,
  });
});

describe("descriptions are cut", () => {
  const entries = manyEntries(3, () => "x".repeat(40));
  const cutTo = (length: number): string =>
    entries.map(({ listedAs }) => `- ${listedAs}: ${"x".repeat(length - 1)}…\n`).join("");

  test.each([24, 25, 30])("to %i characters, where no more fits", (length) => {
    const text = cutTo(length);
    expect(fitEntries(entries, [costOf(text)])).toEqual({ filled: [{ text, count: 3 }], isWhole: false });
    expect(fitEntries(entries, [costOf(text) + 2])).toEqual({ filled: [{ text, count: 3 }], isWhole: false });
  });

  test("to 24 characters at least: with less, the last skill has none", () => {
    const text = `${cutTo(24).split("\n").slice(0, 2).join("\n")}\nAlso: skill-000002\n`;
    expect(fitEntries(entries, [costOf(cutTo(24)) - 1])).toEqual({
      filled: [{ text, count: 3 }],
      isWhole: false,
    });
  });
});

const counts = (filled: readonly { readonly count: number }[] | undefined) =>
  filled?.map(({ count }) => count);

test.each([
  [
    [27, 13],
    [2, 1],
  ],
  [
    [13, 27],
    [1, 2],
  ],
  [
    [12, 41],
    [0, 3],
  ],
  [
    [41, 0],
    [3, 0],
  ],
  [[27, 12], undefined],
  [[26, 13], undefined],
])("texts of %j characters have %j names, one text filled after the other", (sizes, expected) => {
  expect(counts(fitEntries(THREE, sizes)?.filled)).toEqual(expected);
});

test.each([
  [[27, 23], 10, [2, 1]],
  [[27, 23], 11, [2, 0]],
  [[27, 37], 10, [2, 2]],
  [[37], 10, [2]],
  [[36], 10, [1]],
  [[], 10, []],
])(
  "texts of %j characters, with %i of the last left free, have %j of many names",
  (sizes, free, expected) => {
    expect(counts(fitNames(manyEntries(9), sizes, free))).toEqual(expected);
  },
);

test.each([
  ["", 0],
  ["abc", 3],
  ["…", 3],
  ["a…b…", 8],
])("%j counts as %i characters", (text, cost) => {
  expect(costOf(text)).toBe(cost);
});
