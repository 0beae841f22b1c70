import { expect, test } from "vitest";
import { parseSynonyms } from "../../../../src/search/engine/words/synonyms.ts";

test("a word stands for a word or for a list of words, whatever the case", () => {
  const reading = parseSynonyms("K8s: Kubernetes\nci: [pipeline, build]\n");
  expect(reading.ok && [...reading.synonyms]).toEqual([
    ["k8s", ["kubernetes"]],
    ["ci", ["pipeline", "build"]],
  ]);
});

test("an empty file has no synonyms", () => {
  expect(parseSynonyms("# none yet\n")).toEqual({ ok: true, synonyms: new Map() });
});

test.each([
  ["- a list", "must map words"],
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
