import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  count,
  createStyle,
  hasColours,
  printable,
  printableJson,
  terminalWidth,
} from "../../src/render/text.ts";

const UNSAFE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
/** Any UTF-16 units, lone surrogates included. */
const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));

test("printable: nothing in the text moves the cursor", () => {
  fc.assert(
    fc.property(anyUnits, (whole) => {
      expect(printable(whole)).not.toMatch(UNSAFE);
      expect(printable(printable(whole))).toBe(printable(whole));
    }),
  );
});

test("printable JSON: nothing in it moves the cursor, and nothing is lost", () => {
  fc.assert(
    fc.property(anyUnits, (text) => {
      expect(printableJson({ text })).not.toMatch(UNSAFE);
      expect(JSON.parse(printableJson({ text }))).toEqual({ text });
    }),
  );
});

test.each([
  ["plain text stays", "plain text stays"],
  ["two\nlines", "two�lines"],
  ["\u001B[2Jgone", "�[2Jgone"],
  ["bell\u0007", "bell�"],
  ["c1\u009B31m", "c1�31m"],
  ["bidi\u202Etxet", "bidi\\u{202E}txet"],
  ["tags\u{E0041}\u200B", "tags\\u{E0041}\\u{200B}"],
  ["👩\u200D💻 می\u200Cخواهم", "👩\u200D💻 می\u200Cخواهم"],
  ["日本語 😀 é", "日本語 😀 é"],
])("%j is printed as '%s'", (whole, printed) => {
  expect(printable(whole)).toBe(printed);
});

test.each([
  ["a terminal has its columns", { isTTY: true, columns: 80 }, 80],
  ["a terminal that says 0 has no limit", { isTTY: true, columns: 0 }, undefined],
  ["a terminal that does not tell has no limit", { isTTY: true }, undefined],
  ["a pipe has no limit", { columns: 80 }, undefined],
])("%s", (_, stream, width) => {
  expect(terminalWidth(stream)).toBe(width);
});

test.each<[string, boolean, Readonly<Record<string, string>>, boolean]>([
  ["on a terminal", true, {}, true],
  ["not on a pipe", false, {}, false],
  ["not with NO_COLOR", true, { NO_COLOR: "1" }, false],
  ["not on a dumb terminal", true, { TERM: "dumb" }, false],
  ["on a pipe with FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
  ["not with FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, false],
])("colours are used %s: %s %j", (_, isTTY, environment, coloured) => {
  const names = ["NO_COLOR", "FORCE_COLOR", "NODE_DISABLE_COLORS", "COLORTERM", "CI", "TMUX"];
  for (const name of names) vi.stubEnv(name, undefined);
  for (const [name, value] of Object.entries({ TERM: "xterm", ...environment })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { getColorDepth } = WriteStream.prototype;
  const stream = Object.assign(new PassThrough(), { isTTY, getColorDepth });
  expect(hasColours(stream)).toBe(coloured);
  expect(createStyle(hasColours(stream)).red("x") === "\u001B[31mx\u001B[39m").toBe(coloured);
});

test.each([
  [0, "0 skills"],
  [1, "1 skill"],
  [2, "2 skills"],
])("%i is '%s'", (number, text) => {
  expect(count(number, "skill")).toBe(text);
});
