import { expect, test } from "vitest";
import { parseSynonyms } from "../../../src/read-synonyms.ts";

test("a word stands for a word or for a list of words, whatever the case", () => {
  const reading = parseSynonyms("K8s: Kubernetes\nci: [pipeline, build]\n");
  expect(reading.ok && [...reading.synonyms]).toEqual([
    ["k8s", ["kubernetes"]],
    ["ci", ["pipeline", "build"]],
  ]);
});

test("an empty file has no synonyms", () => {
  for (const text of ["", "# none yet\n", "\n  # none\r\n\t\n"]) {
    expect(parseSynonyms(text)).toEqual({ ok: true, synonyms: new Map() });
  }
  expect(parseSynonyms("# one\nci: build\n")).toEqual({ ok: true, synonyms: new Map([["ci", ["build"]]]) });
});

test.each([
  ["- a list", "must map words"],
  ["words", "must map words"],
  ["null", "must map words"],
  ["a:", "'a' must stand for"],
  ["a: [b, 1]", "'a' must stand for"],
  ["b: c\na: [[d]]", "'a' must stand for"],
  [`a: ${"[".repeat(7)}${"]".repeat(7)}`, "'a' must stand for"],
  [`a: ${"[".repeat(8)}${"]".repeat(8)}`, "not valid YAML"],
  ["a: {b: c}", "'a' must stand for"],
  ["a: [1]", "'a' must stand for"],
  ["a: [", "not valid YAML"],
  ["a: &x [y]\nb: *x", "not valid YAML"],
])("%j is refused with the reason", (text, reason) => {
  expect(parseSynonyms(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) as string });
});

test("the reason is one line, without the excerpt that YAML readers add", () => {
  const reading = parseSynonyms("a: b\nc: [d\ne: f\n");
  expect(reading.ok ? "" : reading.reason).toMatch(/^it is not valid YAML \([^\n]+ \(\d+:\d+\)\)$/);
});
