import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { compose } from "../../src/compose.ts";
import { skillRows } from "../../src/dashboard/skill-rows.ts";

test("skill rows: a skill that is not served has a row with its reason, unless its plugin or a filter removes it", async () => {
  const sandbox = createSandbox();
  for (const name of ["git", "pdf", "payroll"])
    sandbox.skill(`home/.claude/skills/${name}`, { description: `Does ${name}.` });
  sandbox.skill("project/.claude/skills/pdf", { description: "Does pdf here." });
  sandbox.write("home/.claude/skills/off/.SKILL.md", "---\nname: off\ndescription: Off.\n---\n");
  sandbox.write("home/.claude/skills/broken/SKILL.md", "no front matter\n");
  const { services, close } = compose({
    cwd: sandbox.project,
    userDir: sandbox.home,
    filter: { exclude: ["payroll"] },
  });
  onTestFinished(close);
  const rows = skillRows(await services.skills.snapshot());
  expect(rows.map(({ name, status }) => `${status} ${name}`)).toEqual([
    "warning pdf",
    "ok git",
    "shadowed pdf",
    "disabled off",
    "broken broken",
  ]);
});
