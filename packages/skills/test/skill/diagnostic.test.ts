import { expect, test } from "vitest";
import { type Diagnostic, diagnosticLine, diagnosticLines, placeOf } from "../../src/skill/diagnostic.ts";

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

test("each line is logged once, and many skills that take the place of others are one line", () => {
  const taken = (name: string): Diagnostic => {
    return { severity: "warning", code: "takes-place", file: `/${name}/SKILL.md`, message: "Taken." };
  };
  const three = ["a", "b", "c"].map(taken);
  expect([...diagnosticLines([found, found, ...three])]).toEqual([
    ["skipped: /a/SKILL.md: No name.", "error"],
    ["/a/SKILL.md: Taken.", "warning"],
    ["/b/SKILL.md: Taken.", "warning"],
    ["/c/SKILL.md: Taken.", "warning"],
  ]);
  expect([...diagnosticLines([...three, found, taken("d")])]).toEqual([
    ["skipped: /a/SKILL.md: No name.", "error"],
    [expect.stringMatching(/^4 skills of this project .* such as \/a\/SKILL\.md/), "warning"],
  ]);
});
