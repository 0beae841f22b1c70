import { expect, test } from "vitest";
import { type Diagnostic, diagnosticLine, placeOf } from "../../src/skill/diagnostic.ts";

const found: Diagnostic = {
  severity: "error",
  code: "missing-name",
  file: "/a/SKILL.md",
  message: "No name.",
};

test.each([
  ["a skill that is not served is skipped", found, "skipped: /a/SKILL.md: No name."],
  [
    "a warning has no prefix, because the log level says it",
    { ...found, severity: "warning" },
    "/a/SKILL.md: No name.",
  ],
  ["a line follows the file", { ...found, line: 3 }, "skipped: /a/SKILL.md:3: No name."],
] as const)("%s", (_what, diagnostic, line) => {
  expect(diagnosticLine(diagnostic)).toBe(line);
});

test("a place is the file, and the line where there is one", () => {
  expect([placeOf(found), placeOf({ ...found, line: 1 })]).toEqual(["/a/SKILL.md", "/a/SKILL.md:1"]);
});
