import { describe, expect, test } from "vitest";
import { stripTypes } from "../../src/typescript/strip-types.ts";
import { typescriptArguments } from "../../src/typescript/typescript-arguments.ts";

describe("how a Node runs TypeScript", () => {
  const TRANSFORM = "--experimental-transform-types";
  const STRIP = "--experimental-strip-types";
  const QUIET = "--disable-warning=ExperimentalWarning";
  test.each([
    ["Node 24: with enums", [TRANSFORM, STRIP], true, { args: [TRANSFORM, QUIET] }],
    ["Node 22.6: without", [STRIP], false, { args: [STRIP, QUIET] }],
    ["a Node without these options that strips types", [], true, { args: [QUIET] }],
    ["Node 20: with ours", [], false, { args: ["--import", "file:///a%20b/t.mjs"], file: "/a b/t.mjs" }],
  ])("%s", (_which, options, stripsTypes, expected) => {
    expect(typescriptArguments({ options: new Set(options), stripsTypes }, "/a b/t.mjs")).toEqual(expected);
  });

  test("not at all where nothing is there", () => {
    expect(typescriptArguments({ options: new Set(), stripsTypes: false }, undefined)).toBeUndefined();
  });
});

describe("the types of a TypeScript file", () => {
  test.each([
    ["annotations", "const a: number = 1 as number;", "const a = 1 ;"],
    ["imports of types", 'import type { A } from "./a";\nexport {};', "\nexport {};"],
    ["generics", "const f = <T,>(x: T): T => x;", "const f = (x) => x;"],
    ["satisfies and !", "const b = { a: 1 } satisfies X; b!.a;", "const b = { a: 1 } ; b.a;"],
    ["interfaces", "interface A { b: string }\ntype C = A;\nlet x = 1;", "\n\nlet x = 1;"],
  ])("are removed: %s", (_what, text, code) => {
    expect(stripTypes(text, "x.ts").code.replace(/\s+$/gm, "").replace(/ {2,}/g, " ")).toBe(
      code.replace(/\s+$/gm, ""),
    );
  });

  test("leave every line where it was", () => {
    const text = "interface A {\n  b: string;\n}\n\nthrow new Error('line 5');\n";
    expect(
      stripTypes(text, "x.ts")
        .code.split("\n")
        .findIndex((line) => line.includes("throw")),
    ).toBe(4);
  });

  test.each([
    ["x.ts", "console.log(1)", "module"],
    ["x.ts", 'import fs from "fs"; module.exports = 1', "module"],
    ["x.ts", 'const fs = require("node:fs");', "commonjs"],
    ["x.ts", "module.exports = 1;", "commonjs"],
    ["x.mts", 'const fs = require("node:fs");', "module"],
    ["x.cts", "console.log(1)", "commonjs"],
  ])("%s with %j is %s", (file, text, format) => {
    expect(stripTypes(text, file).format).toBe(format);
  });

  test("of a broken file are an error that names the file and the line", () => {
    expect(() => stripTypes("const a: = 1;\n", "/lib/x.ts")).toThrow(/\/lib\/x\.ts.*1:/);
  });
});
