import * as fc from "fast-check";
import { expect, test } from "vitest";
import { writeLead, writeNames } from "../../../src/catalog/describe/lead.ts";
import { catalogOf, manyEntries, plain } from "../entries.ts";
import { someEntries } from "./described.ts";

const LEAD = 157;

const entriesOf = (...names: readonly string[]) =>
  catalogOf(...names.map((name) => plain("claude", name))).entries;

test("all names that fit are named", () => {
  expect(writeLead(entriesOf("docx", "pdf", "xlsx"), LEAD, undefined)).toBe(
    "Load with `skill` before its task: docx, pdf, xlsx.",
  );
});

const FORTY = ["pdf", "excel", "react", "git"].flatMap((topic) =>
  Array.from({ length: 10 }, (_, index) => `${topic}-task-${index}`),
);

test("otherwise the words that most names have in common, and where the rest is", () => {
  expect(writeLead(entriesOf(...FORTY), LEAD, "find_skills")).toBe(
    "Load with `skill` before its task. Topics: task, excel, git, pdf, react. All 40: `find_skills` finds the right one.",
  );
  expect(writeLead(entriesOf(...FORTY), LEAD, undefined)).toBe(
    "Load with `skill` before its task. Topics: task, excel, git, pdf, react. 40 in all.",
  );
  expect(writeLead(entriesOf(...FORTY), LEAD, "skill")).toBe(
    "Load with `skill` before its task. Topics: task, excel, git, pdf, react. All 40: `skill` lists them.",
  );
});

test("some names where they have no words in common", () => {
  const names = Array.from(
    { length: 40 },
    (_, index) => `s${String.fromCharCode(97 + (index % 26))}${index}word${index}`,
  );
  expect(writeLead(entriesOf(...names), LEAD, "find_skills")).toMatch(
    /^Load with `skill` before its task: \w+(?:, \w+)+ … All 40: `find_skills` finds the right one\.$/,
  );
  expect(writeLead(entriesOf(...names), LEAD, "skill")).toBe(writeLead(entriesOf(...names), LEAD, undefined));
});

const someTool = fc.constantFrom("find_skills", "skill", undefined);

test("a lead and a line of names never exceed their lengths", () => {
  fc.assert(
    fc.property(someEntries, fc.integer({ min: 0, max: 400 }), someTool, (entries, most, allIn) => {
      expect(writeLead(entries, most, allIn).length).toBeLessThanOrEqual(most);
      expect(writeNames(entries, most, allIn !== undefined).length).toBeLessThanOrEqual(most);
    }),
  );
});

test("the names that do not fit are counted", () => {
  const text = writeNames(manyEntries(100), 300, true);
  const shown = text.match(/skill-\d{6}/g)?.length ?? 0;
  expect(text).toMatch(new RegExp(` … and ${100 - shown} more; \`find_skills\` finds them\\.$`));
});
