import { expect, test } from "vitest";
import type { ValidatedFile } from "#check";
import { createStyle } from "../../../src/render/text.ts";
import { renderValidation } from "../../../src/render/validate/report.ts";

const render = (...files: readonly ValidatedFile[]) =>
  renderValidation(files, { cwd: "/shop" }, createStyle(false));

const GOOD: ValidatedFile = { file: "/shop/skills/pdf/SKILL.md", name: "pdf", findings: [] };
const BAD: ValidatedFile = {
  file: "/shop/skills/Git/SKILL.md",
  name: "Git",
  findings: [
    { severity: "error", rule: "name-characters", line: 2, message: "The name is bad." },
    { severity: "advice", rule: "empty-body", message: "There is nothing." },
  ],
};

test("validate: each finding is one line with its place, reason and rule, and a summary ends the report", () => {
  expect(render(GOOD, BAD)).toBe(`ok      skills/pdf/SKILL.md (pdf)
error   skills/Git/SKILL.md:2  The name is bad. [name-characters]
advice  skills/Git/SKILL.md  There is nothing. [empty-body]

2 files checked: 1 error, 1 advice.
`);
});

test.each<[string, ValidatedFile[]]>([
  ["0 files checked: 0 errors, 0 advice.", []],
  ["1 file checked: 0 errors, 0 advice.", [GOOD]],
  ["2 files checked: 2 errors, 2 advice.", [BAD, BAD]],
])("validate: the summary says '%s'", (summary, files) => {
  expect(render(...files)).toMatch(new RegExp(`${summary.replaceAll(".", "\\.")}\n$`));
});

test.each([
  ["/shop/a/SKILL.md", "a/SKILL.md"],
  ["/elsewhere/SKILL.md", "/elsewhere/SKILL.md"],
  ["/workshop/SKILL.md", "/workshop/SKILL.md"],
  ["/shop", "/shop"],
])("validate: the file %s is shown as %s", (file, shown) => {
  expect(render({ file, findings: [] })).toContain(`ok      ${shown}\n`);
});

test("validate: hostile names and messages stay on one line", () => {
  const message = "The name '\u001B[2J\nx' is bad.";
  const text = render(
    { file: "/shop/a\nb/SKILL.md", findings: [{ severity: "error", rule: "x", message }] },
    { file: "/shop/SKILL.md", name: "a\u001B[31m\nb", findings: [] },
  );
  expect(text.split("\n")).toHaveLength(5);
  expect(text).not.toContain("\u001B");
});

test("validate: on a terminal errors are red and advice is yellow", () => {
  const text = renderValidation([GOOD, BAD], { cwd: "/shop" }, createStyle(true));
  for (const code of ["[32mok", "[31merror", "[33madvice"]) expect(text).toContain(`\u001B${code}`);
});

test("validate: counts rules that are broken more than once, and names fields of hosts and the checked folders", () => {
  const hosted: ValidatedFile = { ...GOOD, hostFields: ["context", "agent"] };
  const view = { cwd: "/shop", paths: ["/shop/skills", "/other"] };
  expect(
    renderValidation([hosted, BAD, BAD], view, createStyle(false)),
  ).toBe(`ok      skills/pdf/SKILL.md (pdf; fields of hosts: context, agent)
error   skills/Git/SKILL.md:2  The name is bad. [name-characters]
advice  skills/Git/SKILL.md  There is nothing. [empty-body]
error   skills/Git/SKILL.md:2  The name is bad. [name-characters]
advice  skills/Git/SKILL.md  There is nothing. [empty-body]

2 × error   name-characters
2 × advice  empty-body

3 files checked in skills, /other: 2 errors, 2 advice.
`);
});

test("validate: quiet prints only errors, and nothing without one", () => {
  const quiet = (...files: readonly ValidatedFile[]) =>
    renderValidation(files, { cwd: "/shop", quiet: true }, createStyle(false));
  expect(quiet(GOOD)).toBe("");
  expect(quiet(GOOD, BAD)).toBe("error   skills/Git/SKILL.md:2  The name is bad. [name-characters]\n");
});
