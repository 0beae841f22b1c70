import { expect, test } from "vitest";
import type { ValidatedFile } from "#check";
import { renderGithub, sarifOf } from "../../../src/render/validate/formats.ts";

const FILES: readonly ValidatedFile[] = [
  { file: "/shop/good/SKILL.md", name: "good", findings: [] },
  {
    file: "/shop/a b,c:%/SKILL.md",
    findings: [
      { severity: "error", rule: "name-characters", line: 2, message: "Bad: 100 %\r\n::error::planted" },
      { severity: "advice", rule: "empty-body", message: "Nothing there." },
    ],
  },
  {
    file: "/elsewhere/SKILL.md",
    findings: [{ severity: "error", rule: "name-characters", message: "Bad." }],
  },
];

test("GitHub format: one command for each finding, and no text of a skill can end or begin one", () => {
  expect(
    renderGithub(FILES, "/shop"),
  ).toBe(`::error file=a b%2Cc%3A%25/SKILL.md,line=2,title=name-characters::Bad: 100 %25%0D%0A::error::planted
::notice file=a b%2Cc%3A%25/SKILL.md,title=empty-body::Nothing there.
::error file=/elsewhere/SKILL.md,title=name-characters::Bad.
3 files checked: 2 errors, 1 advice.
`);
});

test("SARIF: has each rule once, and paths relative to the working directory for files in it", () => {
  const place = (uri: string, startLine?: number) => ({
    physicalLocation: {
      artifactLocation: { uri },
      ...(startLine === undefined ? {} : { region: { startLine } }),
    },
  });
  expect(sarifOf(FILES, "/shop")).toMatchObject({
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "skills-mcp", rules: [{ id: "empty-body" }, { id: "name-characters" }] } },
        results: [
          {
            ruleId: "name-characters",
            ruleIndex: 1,
            level: "error",
            locations: [place("a%20b%2Cc%3A%25/SKILL.md", 2)],
          },
          {
            ruleId: "empty-body",
            ruleIndex: 0,
            level: "note",
            locations: [place("a%20b%2Cc%3A%25/SKILL.md")],
          },
          { ruleId: "name-characters", level: "error", locations: [place("file:///elsewhere/SKILL.md")] },
        ],
      },
    ],
  });
});

test("SARIF: without findings it has no results, and is still complete", () => {
  expect(sarifOf([], "/shop")).toMatchObject({ runs: [{ tool: { driver: { rules: [] } }, results: [] }] });
});
