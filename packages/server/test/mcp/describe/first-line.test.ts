import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryOf, manyEntries, plain } from "../../../../../test/support/skills.ts";
import { writeFirstLine, writeNames } from "../../../src/mcp/describe/first-line.ts";
import { someEntries } from "./described.ts";

const LIMIT = 157;

const entriesOf = (...names: readonly string[]) =>
  names.toSorted().map((name) => entryOf(plain("claude", name)));

test("all names that fit are named", () => {
  expect(writeFirstLine(entriesOf("docx", "pdf", "xlsx"), LIMIT, undefined)).toBe(
    "Before you start a task, load the matching skill with the `skill` tool: docx, pdf, xlsx.",
  );
  expect(writeFirstLine(entriesOf("docx", "pdf", "xlsx"), 60, undefined)).toMatch(/ xlsx\.$/);
  expect(writeFirstLine(entriesOf("docx", "pdf", "xlsx"), 59, undefined)).not.toContain("xlsx");
});

const FORTY = ["pdf", "excel", "react", "git"].flatMap((topic) =>
  Array.from({ length: 10 }, (_, index) => `${topic}-task-${index}`),
);

test("otherwise the words that most names have in common, and where the rest is", () => {
  expect(writeFirstLine(entriesOf(...FORTY), LIMIT, "find_skills")).toBe(
    "Before you start a task, load the matching skill with the `skill` tool. Topics: task, excel, git, pdf, react. All 40: `find_skills` finds the right one.",
  );
  expect(writeFirstLine(entriesOf(...FORTY), LIMIT, undefined)).toBe(
    "Before you start a task, load the matching skill with the `skill` tool. Topics: task, excel, git, pdf, react. 40 in all.",
  );
  expect(writeFirstLine(entriesOf(...FORTY), LIMIT, "skill")).toBe(
    "Before you start a task, load the matching skill with the `skill` tool. Topics: task, excel, git, pdf, react. All 40: `skill` lists them.",
  );
});

test("some names where they have no words in common", () => {
  const names = Array.from(
    { length: 40 },
    (_, index) => `s${String.fromCharCode(97 + (index % 26))}${index}word${index}`,
  );
  expect(writeFirstLine(entriesOf(...names), LIMIT, "find_skills")).toMatch(
    /^Before a task, load its skill with `skill`: \w+(?:, \w+)+ … All 40: `find_skills` finds the right one\.$/,
  );
  expect(writeFirstLine(entriesOf(...names), LIMIT, "skill")).toBe(
    writeFirstLine(entriesOf(...names), LIMIT, undefined),
  );
});

test("as many names as fit: with one character less, one name less", () => {
  const entries = manyEntries(40);
  const text = writeFirstLine(entries, LIMIT, undefined);
  const shown = (line: string) => line.match(/skill-\d{6}/g)?.length ?? 0;
  expect(writeFirstLine(entries, text.length, undefined)).toBe(text);
  expect(shown(writeFirstLine(entries, text.length - 1, undefined))).toBe(shown(text) - 1);
});

describe("the shared words", () => {
  const namesOf = (...topics: readonly string[]) =>
    topics.flatMap((topic) => Array.from({ length: 20 }, (_, index) => `${topic}-${index}`));
  const topicsIn = (names: readonly string[]) =>
    /Topics: (.+?)\./.exec(writeFirstLine(entriesOf(...names), LIMIT, undefined))?.[1];

  test.each([
    ["three are enough", namesOf("pdf", "git", "excel"), "excel, git, pdf"],
    ["two are too few", namesOf("pdf", "git"), undefined],
    ["a word of two letters is none", namesOf("pdf", "git", "ui"), undefined],
    ["a number is none", namesOf("pdf", "git", "2024"), undefined],
    ["a very common word is none", namesOf("pdf", "git", "using"), undefined],
    ["a word of one name is none", [...namesOf("pdf", "git"), "excel-0"], undefined],
    ["a word of two names is one", [...namesOf("pdf", "git"), "excel-0", "excel-1"], "git, pdf, excel"],
    ["case does not count", [...namesOf("pdf", "git"), "EXCEL-0", "excel-1"], "git, pdf, excel"],
    [
      "a word counts once for each name",
      [...namesOf("pdf", "git"), "excel-excel-excel", "excel-1", "word-1", "word-2", "word-3"],
      "git, pdf, word, excel",
    ],
  ])("%s", (_, names, topics) => {
    expect(topicsIn(names)).toBe(topics);
  });

  test("are told where three fit, and with one character less some names are", () => {
    const entries = entriesOf(...namesOf("pdf", "git", "excel"));
    const text = writeFirstLine(entries, LIMIT, "find_skills");
    expect(text).toContain("Topics: excel, git, pdf.");
    expect(writeFirstLine(entries, text.length, "find_skills")).toBe(text);
    const short = writeFirstLine(entries, text.length - 1, "find_skills");
    expect(short).toBe(text.replace(/^[^.]+/, "Before a task, load its skill with `skill`"));
    expect(writeFirstLine(entries, short.length - 1, "find_skills")).toMatch(/`skill`: excel-0, .+ … All 60/);
  });
});

test("a thousand names are the most", () => {
  expect(writeFirstLine(manyEntries(1_000), 100_000, undefined)).toMatch(/, skill-000999\.$/);
  expect(writeFirstLine(manyEntries(1_001), 100_000, undefined)).toMatch(/, skill-000999 … 1001 in all\.$/);
});

test("a single name is told, where no more fit", () => {
  const text = "Before a task, load its skill with `skill`: skill-000000 … 9 in all.";
  expect(writeFirstLine(manyEntries(9), text.length, undefined)).toBe(text);
});

test("where not even a name fits, the line is cut", () => {
  expect(writeFirstLine(manyEntries(9), 50, "find_skills")).toBe(
    "Before a task, load its skill with `skill`. All…",
  );
  expect(writeFirstLine([], 20, undefined)).toBe("Skills are instruct…");
});

const someTool = fc.constantFrom("find_skills", "skill", undefined);

test("a first line and a line of names never exceed their lengths", () => {
  fc.assert(
    fc.property(someEntries, fc.integer({ min: 0, max: 400 }), someTool, (entries, most, allIn) => {
      expect(writeFirstLine(entries, most, allIn).length).toBeLessThanOrEqual(most);
      expect(writeNames(entries, most, allIn !== undefined).length).toBeLessThanOrEqual(most);
    }),
  );
});

test("the names that do not fit are counted", () => {
  const text = writeNames(manyEntries(100), 300, true);
  const shown = text.match(/skill-\d{6}/g)?.length ?? 0;
  expect(text).toMatch(new RegExp(` … and ${100 - shown} more; \`find_skills\` finds them\\.$`));
});

test.each([
  [30, false, "Names: docx, pdf, pptx, xlsx."],
  [29, false, "Names: docx, pdf, pptx, xlsx."],
  [28, false, "Names: docx … and 3 more."],
  [25, false, "Names: docx … and 3 more."],
  [24, false, ""],
  [49, true, "Names: docx, pdf, pptx, xlsx."],
  [28, true, ""],
  [7, false, ""],
  [0, false, ""],
  [-1, false, ""],
])("within %i characters, and with a finder: %s, the names are %j", (most, finder, line) => {
  expect(writeNames(entriesOf("docx", "pdf", "pptx", "xlsx"), most, finder)).toBe(line);
});

test("there is no line of no names", () => {
  expect(writeNames([], 100, true)).toBe("");
});
