import { describe, expect, test } from "vitest";
import { readLibraryFields } from "../../src/skill/parse-library-skill.ts";

const warningsOf = (fields: Record<string, unknown>) =>
  readLibraryFields(fields).warnings.map(({ message }) => message);
const nested = (levels: number): unknown => (levels === 0 ? "a" : [nested(levels - 1)]);

test("fields without a value are as good as missing ones", () => {
  const empty = { inherit: null, priority: null, assets: null, scripts: null };
  expect(readLibraryFields(empty)).toStrictEqual(readLibraryFields({}));
  expect(warningsOf(empty)).toEqual([]);
});

test.each([
  [9, ["a"]],
  [10, undefined],
])("a keyword in %i lists is read as %j", (levels, keywords) => {
  expect(readLibraryFields({ keywords: nested(levels) }).keywords).toEqual(keywords);
});

test.each([
  [true, true, 0],
  [false, false, 0],
  ["no", true, 1],
])("inherit: %j is %s", (inherit, expected, warnings) => {
  const fields = readLibraryFields({ inherit });
  expect([fields.inherit, fields.warnings.length]).toEqual([expected, warnings]);
});

test.each([
  ["x".repeat(40), `'${"x".repeat(40)}'`],
  ["x".repeat(41), `'${"x".repeat(40)}…'`],
  [7, "'7'"],
  [{}, "a list or a map"],
])("a warning shows the value %j as %s", (inherit, shown) => {
  expect(warningsOf({ inherit })).toEqual([
    `\`inherit\` must be true or false; ${shown} is treated as true.`,
  ]);
});

describe("assets", () => {
  test.each<[string, unknown, unknown]>([
    ["white space around a file", { file: " a.txt " }, { file: "a.txt", description: "", type: "other" }],
    ["a number as a file", { file: 7 }, { file: "7", description: "", type: "other" }],
    [
      "white space around a type",
      { file: "a", type: " image " },
      { file: "a", description: "", type: "image" },
    ],
    ["a type of white space", { file: "a", type: " " }, { file: "a", description: "", type: "other" }],
    ["other scalars", { file: "a", description: true }, { file: "a", description: "true", type: "other" }],
  ])("%s", (_what, asset, expected) => {
    const { assets, warnings } = readLibraryFields({ assets: [asset] });
    expect(assets).toStrictEqual([expected]);
    expect(warnings).toEqual([]);
  });

  test.each([
    ["nothing", null],
    ["a list", ["a.txt"]],
    ["a map without a file", { description: "x" }],
    ["a file of white space", { file: " " }],
  ])("%s is none, and the others count", (_what, asset) => {
    const { assets, warnings } = readLibraryFields({ assets: [asset, "b.txt"] });
    expect(assets.map(({ file }) => file)).toEqual(["b.txt"]);
    expect(warnings.map(({ message }) => message)).toEqual(["`assets[0]` has no `file`; it is ignored."]);
  });
});

describe("scripts", () => {
  test("an entry without a file is ignored with a warning", () => {
    const { scripts, warnings } = readLibraryFields({ scripts: ["a.sh", { execution: "server" }] });
    expect(scripts).toStrictEqual([{ file: "a.sh", description: "", execution: "claude", args: [] }]);
    expect(warnings.map(({ message }) => message)).toEqual(["`scripts[1]` has no `file`; it is ignored."]);
  });

  test.each([
    ["claude", "claude", 0],
    ["server", "server", 0],
    [null, "claude", 0],
    ["Server", "claude", 1],
  ])("execution: %j is %s", (execution, expected, warnings) => {
    const fields = readLibraryFields({ scripts: [{ file: "a.sh", execution }] });
    expect([fields.scripts[0]?.execution, fields.warnings.length]).toEqual([expected, warnings]);
  });

  test.each([
    [true, true, 0],
    [false, undefined, 0],
    [null, undefined, 0],
    ["yes", undefined, 1],
  ])("network: %j is %s", (network, expected, warnings) => {
    const fields = readLibraryFields({ scripts: [{ file: "a.sh", network }] });
    expect([fields.scripts[0]?.network, fields.warnings.length]).toEqual([expected, warnings]);
  });

  const withArgument = (argument: unknown) =>
    readLibraryFields({ scripts: [{ file: "a.sh", args: [argument] }] });

  test.each<[string, unknown, unknown, number]>([
    ["a name alone", "who", { name: "who", description: "", required: true }, 0],
    ["white space around a name", { name: " who " }, { name: "who", description: "", required: true }, 0],
    ["a required one", { name: "who", required: true }, { name: "who", description: "", required: true }, 0],
    [
      "one with a default",
      { name: "who", default: " x " },
      { name: "who", description: "", required: true, default: " x " },
      0,
    ],
    [
      "a number as default",
      { name: "who", default: 5 },
      { name: "who", description: "", required: true, default: "5" },
      0,
    ],
    ["an empty default", { name: "who", default: null }, { name: "who", description: "", required: true }, 0],
    [
      "a list as default",
      { name: "who", default: ["x"] },
      { name: "who", description: "", required: true },
      1,
    ],
  ])("an argument that is %s", (_what, argument, expected, warnings) => {
    const fields = withArgument(argument);
    expect(fields.scripts[0]?.args).toStrictEqual([expected]);
    expect(fields.warnings).toHaveLength(warnings);
  });

  test.each([
    ["nothing", null],
    ["a list", ["who"]],
    ["a map without a name", { required: true }],
  ])("an argument that is %s is ignored with a warning", (_what, argument) => {
    const { scripts, warnings } = withArgument(argument);
    expect(scripts[0]?.args).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      "`scripts[0].args[0]` has no `name`; it is ignored.",
    ]);
  });
});
