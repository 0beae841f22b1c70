import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Skill } from "#skills";
import { entryOf, fromPlugin, plain } from "../../../../test/support/skills.ts";
import { columnsOf } from "../../src/render/layout.ts";
import { skillJson } from "../../src/render/skill-json.ts";
import { renderSkillTable, renderSkillTree } from "../../src/render/skill-table.ts";
import { createStyle, printable } from "../../src/render/text.ts";

const PLAIN = createStyle(false);

const table = (skills: readonly Skill[], width?: number): readonly string[] =>
  renderSkillTable(
    skills.map((skill) => skillJson(entryOf(skill))),
    { width, style: PLAIN },
  ).split("\n");

test("skill table: columns line up under their headings", () => {
  const skills = [
    plain("claude", "pdf", { description: "Reads PDF." }),
    plain("codex", "日本", { description: "Reads.", location: "user" }),
    fromPlugin("office", "docx", { description: "Writes." }),
  ];
  expect(table(skills)).toEqual([
    "NAME         PROVIDER  LOCATION  DESCRIPTION",
    "pdf          claude    project   Reads PDF.",
    "日本         codex     user      Reads.",
    "office:docx  claude    plugin    Writes.",
  ]);
});

test("skill table: without a width nothing is cut", () => {
  const name = "n".repeat(100);
  const description = "words ".repeat(200).trim();
  const [, row] = table([plain("claude", name, { description })]);
  expect(row).toContain(name);
  expect(row?.endsWith(description)).toBe(true);
});

test("skill table: with a width descriptions are cut, and a long name has a line of its own", () => {
  const skills = [plain("claude", "n".repeat(60), { description: "words ".repeat(50).trim() })];
  const [, name, rest = ""] = table(skills, 120);
  expect(name).toBe("n".repeat(60));
  expect(rest).toMatch(/^ {40} {2}claude {4}project {3}words .*…$/);
  expect(columnsOf(rest)).toBeLessThanOrEqual(120);
});

describe("skill table: only the line of a long name is wider than the terminal", () => {
  const description = "Reads and fills PDF forms, and then some more of that, on and on and on.";

  test.each([
    ["a short name on 60 columns", "pdf", 60],
    ["a short name on 80 columns", "pdf", 80],
    ["a name as long as the specification allows on 80 columns", "n".repeat(64), 80],
    ["a name as long as the specification allows on 100 columns", "n".repeat(64), 100],
    ["a long name on 49 columns", "n".repeat(64), 49],
    ["a long name on 40 columns", "n".repeat(64), 40],
    ["a long name on 20 columns", "n".repeat(64), 20],
    ["a long name on 9 columns", "n".repeat(64), 9],
    ["a short name on 3 columns", "pdf", 3],
    ["a short name on 1 column", "pdf", 1],
    ["wide characters on 30 columns", "日本語".repeat(4), 30],
    ["wide characters on 80 columns", "日本語".repeat(4), 80],
  ])("%s", (_, name, width) => {
    const skills = [
      plain("claude", name, { description }),
      plain("windsurf", "x", { description: "字".repeat(80) }),
    ];
    const lines = table(skills, width);
    expect(lines.some((line) => line === name || line.startsWith(`${name} `))).toBe(true);
    for (const line of lines) if (line !== name) expect(columnsOf(line)).toBeLessThanOrEqual(width);
  });
});

test("skill table: a narrow terminal shows names and descriptions alone", () => {
  expect(table([plain("claude", "pdf", { description: "Reads and fills PDF forms." })], 30)).toEqual([
    "NAME  DESCRIPTION",
    "pdf   Reads and fills PDF for…",
  ]);
});

test("skill table: a very long name runs over in its own line, and pads no other", () => {
  const rows = table([plain("claude", "n".repeat(300)), plain("claude", "pdf")]);
  expect(rows[1]).toBe(`${"n".repeat(300)}  claude    project   Does ${"n".repeat(300)}.`);
  expect(rows[2]).toBe(`pdf${" ".repeat(37)}  claude    project   Does pdf.`);
});

test("skill table: hostile text stays on its line and moves no cursor", () => {
  const unit = fc.constantFrom(
    "a",
    "\n",
    "\r",
    "\u001B[2J",
    "\u0007",
    "\u009B",
    "\u202E",
    "\u2028",
    "字",
    "😀",
    " ",
  );
  const hostile = fc.string({ unit, maxLength: 60 });
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 5 }), hostile, (descriptions, name) => {
      const skills = descriptions.map((description, index) =>
        plain("claude", `${index}${name}`, { description }),
      );
      const lines = table(skills, 100);
      const isLong = columnsOf(printable(`0${name}`)) > 40;
      expect(lines).toHaveLength(descriptions.length * (isLong ? 2 : 1) + 1);
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u2028\u202E]/u);
    }),
    { numRuns: 200 },
  );
});

test("skill table: colours change no character", () => {
  const rows = [plain("claude", "pdf"), plain("codex", "git")].map((skill) => skillJson(entryOf(skill)));
  const coloured = renderSkillTable(rows, { width: 80, style: createStyle(true) });
  expect(coloured).toContain("\u001B[1m");
  const bare = coloured.replace(/\u001B\[\d+m/g, "").split("\n");
  const expected = renderSkillTable(rows, { width: 80, style: PLAIN }).split("\n");
  expect(bare.map((line) => line.trimEnd())).toEqual(expected);
});

describe("skill tree", () => {
  const tree = (skills: readonly Skill[], width?: number): string =>
    renderSkillTree(
      skills.map((skill) => skillJson(entryOf(skill))),
      { home: "/home/ann", cwd: "/project", width, style: PLAIN },
    );
  const skills = [
    plain("claude", "csv", { description: "Reads CSV.", dir: "/project/.claude/skills/csv" }),
    plain("claude", "pdf", { description: "Reads PDF.", dir: "/home/ann/.claude/skills/pdf" }),
    fromPlugin("office", "docx", { description: "Writes." }),
    plain("codex", "日本", { description: "Reads.", dir: "/home/ann/.codex/skills/jp" }),
  ];

  test("groups skills by provider and place", () => {
    expect(tree(skills).split("\n")).toEqual([
      "claude",
      "├─ .claude/skills (1)",
      "│  └─ csv  Reads CSV.",
      "├─ ~/.claude/skills (1)",
      "│  └─ pdf  Reads PDF.",
      expect.stringMatching(/^└─ plugin office@/),
      "   └─ office:docx  Writes.",
      "codex",
      "└─ ~/.codex/skills (1)",
      "   └─ 日本  Reads.",
    ]);
  });

  test("fits a terminal without cutting a name", () => {
    const long = plain("claude", "n".repeat(60), { description: "words ".repeat(40) });
    const lines = tree([...skills, long], 40).split("\n");
    expect(lines.filter((line) => columnsOf(line) > 40)).toEqual([expect.stringContaining("n".repeat(60))]);
  });
});
