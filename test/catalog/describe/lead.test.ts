import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LEAD_CHARACTERS, writeLead, writeNames } from "../../../src/catalog/describe/lead.ts";
import { catalogOf, manyEntries, plain } from "../entries.ts";
import { someEntries } from "./described.ts";

const entriesOf = (...names: readonly string[]) =>
  catalogOf(...names.map((name) => plain("claude", name))).entries;

test("all names that fit are named", () => {
  expect(writeLead(entriesOf("docx", "pdf", "xlsx"), LEAD_CHARACTERS, false)).toBe(
    "Load with `skill` before its task: docx, pdf, xlsx.",
  );
});

const FORTY = ["pdf", "excel", "react", "git"].flatMap((topic) =>
  Array.from({ length: 10 }, (_, index) => `${topic}-task-${index}`),
);

test("otherwise the words that most names have in common, and where the rest is", () => {
  expect(writeLead(entriesOf(...FORTY), LEAD_CHARACTERS, true)).toBe(
    "Load with `skill` before its task. Topics: task, excel, git, pdf, react. All 40: `find_skills` finds the right one.",
  );
  expect(writeLead(entriesOf(...FORTY), LEAD_CHARACTERS, false)).toBe(
    "Load with `skill` before its task. Topics: task, excel, git, pdf, react. 40 in all.",
  );
});

test("some names where they have no words in common", () => {
  const names = Array.from(
    { length: 40 },
    (_, index) => `s${String.fromCharCode(97 + (index % 26))}${index}word${index}`,
  );
  expect(writeLead(entriesOf(...names), LEAD_CHARACTERS, true)).toMatch(
    /^Load with `skill` before its task: \w+(?:, \w+)+ … All 40: `find_skills` finds the right one\.$/,
  );
});

test("a lead and a line of names never exceed their lengths", () => {
  fc.assert(
    fc.property(someEntries, fc.integer({ min: 0, max: 400 }), fc.boolean(), (entries, most, finder) => {
      expect(writeLead(entries, most, finder).length).toBeLessThanOrEqual(most);
      expect(writeNames(entries, most, finder).length).toBeLessThanOrEqual(most);
    }),
  );
});

test("the names that do not fit are counted", () => {
  const text = writeNames(manyEntries(100), 300, true);
  const shown = text.match(/skill-\d{6}/g)?.length ?? 0;
  expect(text).toMatch(new RegExp(` … and ${100 - shown} more; \`find_skills\` finds them\\.$`));
});
