import { describe, expect, test } from "vitest";
import type { SkillInfo } from "#server";
import type { Skill } from "#skills";
import { entryOf, fromPlugin, plain } from "../../../../test/support/skills.ts";
import { infoJson, renderInfo } from "../../src/render/info.ts";
import { columnsOf } from "../../src/render/layout.ts";
import { skillJson } from "../../src/render/skill-json.ts";
import { createStyle } from "../../src/render/text.ts";

const STYLE = createStyle(false);

function infoOf([skill, ...others]: readonly [Skill, ...Skill[]], more: Partial<SkillInfo> = {}): SkillInfo {
  return {
    kind: "skill",
    entry: entryOf(skill, ...others),
    enabled: true,
    resources: [],
    resourcesCut: false,
    hostFields: {},
    diagnostics: [],
    provenance: {},
    ...more,
  };
}

const PDF = plain("claude", "pdf", { description: "Reads PDF files." });
const IN_HOME = plain("claude", "pdf", { location: "user" });

test("info: a plain skill is shown in a few lines", () => {
  expect(renderInfo(infoOf([PDF]), { width: undefined, style: STYLE })).toBe(`pdf
Reads PDF files.

Location   project
Provider   claude
Folder     /project/.claude/skills/pdf
`);
});

test("info: shows the skills that a skill shadows (N1)", () => {
  const text = renderInfo(infoOf([PDF, IN_HOME]), { width: 80, style: STYLE });
  expect(text).toContain("\nShadows:\n  /user/.claude/skills/pdf  claude, user\n");
});

test("info: says that a disabled skill is disabled (N9)", () => {
  const text = renderInfo(infoOf([{ ...PDF, fileName: ".SKILL.md" }], { enabled: false }), {
    width: 80,
    style: STYLE,
  });
  expect(text).toMatch(/^pdf \(disabled\)\n/);
});

test("info: shows every other known field in its place", () => {
  const skill = fromPlugin("office", "pdf", { realDir: "/real/pdf" });
  const link = plain("codex", "pdf", { realDir: "/real/pdf" });
  const text = renderInfo(
    infoOf([skill, link], {
      resources: [
        { path: "scripts/run.py", bytes: 10 },
        { path: "big.bin", bytes: 3 * 1024 * 1024 },
        { path: "mid.txt", bytes: 1536 },
      ],
      resourcesCut: true,
      diagnostics: [
        { severity: "warning", code: "file-name-case", file: "/a", line: 3, message: "Rename it." },
      ],
    }),
    { width: 80, style: STYLE },
  );
  expect(text).toBe(`office:pdf
Does pdf.

Location   plugin
Provider   claude
Plugin     office@market
Folder     /plugins/office/skills/pdf
Real path  /real/pdf
Also at    /project/.codex/skills/pdf

Files:
  scripts/run.py     10 B
  big.bin         3.0 MiB
  mid.txt         1.5 KiB
  … and more

Problems:
  /a:3: Rename it.
`);
});

describe("info: a description is wrapped", () => {
  const linesFor = (description: string, width: number | undefined): readonly string[] => {
    const text = renderInfo(infoOf([{ ...PDF, description }]), { width, style: STYLE });
    return text.slice("pdf\n".length, text.indexOf("\n\nLocation")).split("\n");
  };

  test.each<[string, number | undefined, string[]]>([
    ["one two three", 80, ["one two three"]],
    ["one two three", 7, ["one two", "three"]],
    ["one two three", 6, ["one", "two", "three"]],
    ["日本 語学 三", 9, ["日本 語学", "三"]],
    ["short averyveryverylongword end", 10, ["short", "averyveryverylongword", "end"]],
  ])("'%s' at %s is %j", (description, width, lines) => {
    expect(linesFor(description, width)).toEqual(lines);
  });

  test("to a hundred columns where there is no terminal, without losing a word", () => {
    const description = Array.from({ length: 100 }, (_, index) => `word${index}`).join(" ");
    const lines = linesFor(description, undefined);
    for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(100);
    expect(lines.join(" ")).toBe(description);
  });
});

test("info: hostile text moves no cursor", () => {
  const hostile = "x\u001B[2J\n\u202Ey";
  const skill = plain("claude", hostile, {
    description: hostile,
    dir: `/${hostile}`,
    realDir: `/real${hostile}`,
  });
  const resources = [{ path: hostile, bytes: 1 }];
  const text = renderInfo(infoOf([skill], { resources }), { width: 80, style: STYLE });
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202E]/u);
  expect(
    text
      .split("\n")
      .filter((line) => line.includes("y"))
      .every((line) => line.includes("x�[2J�\\u{202E}y")),
  ).toBe(true);
});

test("info: JSON has the fields that scripts depend on", () => {
  expect(skillJson(infoOf([PDF, IN_HOME]).entry)).toEqual({
    name: "pdf",
    description: "Reads PDF files.",
    provider: "claude",
    location: "project",
    path: "/project/.claude/skills/pdf",
    shadowed: [{ provider: "claude", location: "user", path: "/user/.claude/skills/pdf" }],
  });
  expect(skillJson(infoOf([fromPlugin("office", "pdf")]).entry)).toMatchObject({ plugin: "office@market" });
});

test("info: text and JSON say why the Skills extension does not list a skill", () => {
  const reason = "It has more than 512 files.";
  const text = renderInfo(infoOf([PDF]), { width: 80, style: STYLE }, { reason });
  expect(text).toContain(
    `\nNot published by the Skills extension (the tools still serve it):\n  ${reason}\n`,
  );
  expect(infoJson(infoOf([PDF]), { reason }).skillsExtension).toEqual({ published: false, reason });
  expect(infoJson(infoOf([PDF])).skillsExtension).toEqual({ published: true });
  expect(infoJson(infoOf([PDF], { enabled: false })).skillsExtension).toEqual({ published: false });
});

test("info: the full JSON has the file and the files beside it", () => {
  const info = infoOf([PDF], { enabled: false, resources: [{ path: "a", bytes: 1 }] });
  expect(infoJson(info)).toMatchObject({
    name: "pdf",
    file: "/project/.claude/skills/pdf/SKILL.md",
    enabled: false,
    alsoSeen: [],
    resources: [{ path: "a", bytes: 1 }],
    diagnostics: [],
  });
});
