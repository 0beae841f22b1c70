import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameKey } from "#util/pure";
import { codePoint } from "../../../../test/support/code-point.ts";
import { LONGEST_NAME, loadableName, pathPartIn, plainName } from "../../src/skill/skill.ts";

const anyText = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.string({ unit: "grapheme" }),
  fc.string({
    unit: fc.constantFrom(".", "/", "\\", "\0", " ", "a", "-", "\u2028", "．", "／", "…", "İ", "Σ"),
  }),
);

describe("names that people hold for the same have one key", () => {
  test.each([
    ["case", "PDF-Tools", "pdf-tools"],
    ["the Kelvin sign and k", "\u212Aube", "kube"],
    ["the fi ligature and its letters", "ﬁle", "FILE"],
    ["full-width letters", "ＰＤＦ", "pdf"],
    ["composed and decomposed accents", "école", "e\u0301cole"],
    ["decomposed capital accents", "E\u0301COLE", "école"],
    ["the Turkish capital İ in both forms", "İ", "I\u0307"],
    ["İ and its lower case", "İ", "i\u0307"],
    ["the Ångström sign and its letter", "\u212B", "å"],
    ["Hangul in both forms", "한글", "한글".normalize("NFD")],
    ["a capital sharp s", "GROẞ", "groß"],
    ["a letter that is one character only in lower case", "J\u030C", "\u01F0"],
  ])("%s", (_, one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });
});

test.each([
  ["pdf", "pdf2"],
  ["i", "ı"],
  ["İ", "i"],
  ["e", "é"],
  ["pdf", "p df"],
  ["a-b", "a_b"],
])("'%s' and '%s' are different names", (one, other) => {
  expect(nameKey(one)).not.toBe(nameKey(other));
});

test("ASCII takes the short way to the same key", () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(nameKey(name)).toBe(name.normalize("NFKC").toLowerCase().normalize("NFKC"));
    }),
  );
});

test("the key of a key is the key", () => {
  fc.assert(
    fc.property(anyText, (name) => {
      expect(nameKey(nameKey(name))).toBe(nameKey(name));
    }),
    { numRuns: 1000 },
  );
});

test("the normal form in which a name is written does not matter", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom("NFC", "NFD", "NFKC", "NFKD"), (name, form) => {
      expect(nameKey(name.normalize(form))).toBe(nameKey(name));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["a/b", "'/'"],
  ["/", "'/'"],
  ["a\\b", "'\\'"],
  ["..", "'..'"],
  ["a..b", "'..'"],
  ["...", "'..'"],
  ["a\0b", "a NUL character"],
  ["../a\0", "a NUL character"],
])("the name %j looks like a path because it holds %s", (name, part) => {
  expect(pathPartIn(name)).toBe(part);
});

test.each([
  "",
  "pdf",
  "a.b",
  ".hidden",
  "v1.2.3",
  "office:pdf",
  "name with spaces",
  "C:",
  "~",
  "%2e%2e",
  "．．",
])("the name '%s' does not look like a path", (name) => {
  expect(pathPartIn(name)).toBeUndefined();
});

test.each([
  ["pdf", "pdf"],
  ["CI/CD helper", "CI-CD helper"],
  ["a//b", "a-b"],
  ["a\\b", "a-b"],
  ["../../escaped", "escaped"],
  ["/trailing/", "trailing"],
  ["- kept -", "- kept -"],
  ["../..", ""],
  ["/ spaced /", "spaced"],
  ["/-/", ""],
  ["wait... what", "wait- what"],
  ["v1.2", "v1.2"],
  ["  spread \t out  ", "spread out"],
  ["two\nlines", "two lines"],
  ["nul\0inside", "nul inside"],
  [".\0.", ". ."],
  ["\u001B[31mred", "[31mred"],
  ["a\u2028b", "a b"],
  ["日本語 😀", "日本語 😀"],
])("%j is served as '%s'", (name, served) => {
  expect(loadableName(name)).toBe(served);
});

test("any name in front matter becomes one that can be typed back", () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const served = loadableName(name);
      expect(pathPartIn(served)).toBeUndefined();
      expect(served).toBe(served.trim());
      expect(served).not.toMatch(/\p{Cc}/u);
      expect(loadableName(served)).toBe(served);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["My PDF Tool", "my-pdf-tool"],
  ["Café__au lait", "cafe-au-lait"],
  ["  -- ", ""],
  ["a".repeat(LONGEST_NAME), "a".repeat(64)],
  ["a".repeat(LONGEST_NAME + 1), "a".repeat(64)],
  [`${"a".repeat(63)} b`, "a".repeat(63)],
])("the plain form of '%s' is '%s'", (name, plain) => {
  expect(plainName(name)).toBe(plain);
});
