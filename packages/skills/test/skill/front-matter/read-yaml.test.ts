import { expect, test } from "vitest";
import { isSentenceReadAsMap, readYaml } from "../../../src/skill/front-matter/read-yaml.ts";

test.each([
  ["~", {}],
  ["", {}],
  ["\n\n", {}],
  ["# a\tcomment\r\n \r# another", {}],
  ["a: {b: [1, null]}", { a: { b: [1, null] } }],
])("%j is read as %j", (block, fields) => {
  expect(readYaml(block)).toEqual({ ok: true, fields });
});

test.each([
  ["text", "not a map of fields", undefined],
  ["- a", "not a map of fields", undefined],
  ["a: 1\na: 2", "duplicated mapping key", 1],
  ["a: 1\nb: c: d", "", 1],
  ["a: &x 1\nb: *x", "maxAliases", 1],
])("%j is no map of fields", (block, reason, line) => {
  const reading = readYaml(block);
  expect(reading).toEqual({
    ok: false,
    complaint: { reason: expect.stringContaining(reason) as string, ...(line === undefined ? {} : { line }) },
  });
});

test.each([
  [31, true],
  [32, false],
])("a list of %i levels in a field is read: %s", (levels, ok) => {
  expect(readYaml(`x: ${"[".repeat(levels)}${"]".repeat(levels)}`).ok).toBe(ok);
});

test.each<[unknown, boolean]>([
  [{ "Use when": "asked" }, true],
  [{ "Use when": "asked", short: "b" }, true],
  [{ short: "b", "Use when": "asked" }, false],
  [{ short: "b" }, false],
  [{}, false],
  [["Use when"], false],
  ["Use when", false],
  [null, false],
  [undefined, false],
])("%j is a sentence that YAML reads as a map: %s", (value, isSentence) => {
  expect(isSentenceReadAsMap(value)).toBe(isSentence);
});
