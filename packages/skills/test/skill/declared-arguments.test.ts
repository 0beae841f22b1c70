import { describe, expect, test } from "vitest";
import { readArguments, readHint, type SkillArgument } from "../../src/skill/arguments.ts";

const named = (...names: readonly string[]): readonly SkillArgument[] => names.map((name) => ({ name }));

/** What a reader makes of a value, and how often it warns. */
function reading<T>(
  read: (written: { key: string; value: unknown } | undefined, warn: () => void) => T,
  value: unknown,
) {
  let warnings = 0;
  const result = read({ key: "arguments", value }, () => {
    warnings++;
  });
  return [result, warnings];
}

describe("the arguments that an author declares", () => {
  const letters = "abcdefghijklmnopqrst".split("");
  test.each<[string, unknown, readonly SkillArgument[] | undefined, number]>([
    ["no value", null, undefined, 0],
    ["an empty list", [], undefined, 0],
    ["one name", "a", named("a"), 0],
    ["names with commas and spaces around them", " a,  b ,", named("a", "b"), 0],
    ["a name of 64 characters", ["a".repeat(64)], named("a".repeat(64)), 0],
    ["a name of 65 characters", ["a".repeat(65)], undefined, 1],
    ["20 names", letters, named(...letters), 0],
    ["21 names", [...letters, "u"], named(...letters), 1],
    ["a name given twice", ["a", "a", "b"], named("a"), 1],
    ["the name of the whole", ["ARGUMENTS"], undefined, 1],
    ["a number", 7, undefined, 1],
    ["nothing in the list", ["a", null, "b"], named("a"), 1],
    ["a list in the list", [["a"]], undefined, 1],
    ["a map without a name", [{ description: "x" }], undefined, 1],
    ["a map whose name is none", [{ name: "two words" }], undefined, 1],
    ["a map whose name is a number", [{ name: 1 }], undefined, 1],
    [
      "a map with a description",
      [{ name: "a", description: " Where\n to " }],
      [{ name: "a", description: "Where to" }],
      0,
    ],
    ["one that is not required", [{ name: "a", required: false }], [{ name: "a", required: false }], 0],
    ["other types", [{ name: "a", description: 1, required: "yes" }], named("a"), 0],
  ])("%s", (_what, value, expected, warnings) => {
    expect(reading(readArguments, value)).toStrictEqual([expected, warnings]);
  });
});

describe("the hint that an author writes", () => {
  test.each<[unknown, string | undefined, number]>([
    [null, undefined, 0],
    ["", undefined, 0],
    [" what  to learn", "what to learn", 0],
    [7, "7", 0],
    [["file", "format"], "[file] [format]", 0],
    [["file", { a: "b" }], undefined, 1],
    [["file", null], undefined, 1],
    [{ a: "b" }, undefined, 1],
  ])("%j is %j", (value, expected, warnings) => {
    expect(reading(readHint, value)).toStrictEqual([expected, warnings]);
  });
});
