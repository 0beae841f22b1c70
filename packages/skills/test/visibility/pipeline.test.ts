import { expect, test } from "vitest";
import { PROVIDERS } from "#agents";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { parseFilterTokens } from "../../src/catalog/filter.ts";
import { loadSkill } from "../../src/view/skill-catalog.ts";
import { withoutDisabled } from "../../src/visibility/disabled-for-client.ts";
import type { NotServed } from "../../src/visibility/not-served.ts";
import { openRegistry } from "../registry/open-registry.ts";

const filterWithout = (...tokens: readonly string[]) => ({
  include: [],
  exclude: parseFilterTokens(tokens, PROVIDERS),
});

/** Two skills that are served, and one for each reason why another is not. */
function writeSkills(sandbox: Sandbox): void {
  for (const name of ["git", "pdf", "payroll"])
    sandbox.skill(`home/.claude/skills/${name}`, { description: `Does ${name}.` });
  sandbox.skill("project/.claude/skills/pdf", { description: "Does pdf here." });
  sandbox.write("home/.claude/skills/off/.SKILL.md", "---\nname: off\ndescription: Off.\n---\n");
  sandbox.write("home/.claude/skills/broken/SKILL.md", "no front matter\n");
  sandbox.write(
    "home/.claude/plugins/installed_plugins.json",
    JSON.stringify({ version: 2, plugins: { "office@market": [{ installPath: "office" }] } }),
  );
  sandbox.skill("home/.claude/plugins/office/skills/slides");
  sandbox.write("home/.claude/settings.json", JSON.stringify({ enabledPlugins: { "office@market": false } }));
}

function open(sandbox: Sandbox) {
  return openRegistry(sandbox, { filter: filterWithout("payroll") }).registry.snapshot();
}

function labelOf(one: NotServed): string {
  if (one.kind === "plugin-off") return one.plugin.name;
  if (one.kind === "broken") return one.problem.code;
  if (one.kind === "not-approved") return one.review.name;
  return "entry" in one ? one.entry.listedAs : one.skill.name;
}

test("pipeline: each step adds what it removes, with its reason", async () => {
  const sandbox = createSandbox();
  writeSkills(sandbox);
  const snapshot = await open(sandbox);
  expect(snapshot.catalog.entries.map(({ listedAs }) => listedAs)).toEqual(["pdf", "git"]);
  expect(snapshot.notServed.map((one) => [one.kind, labelOf(one)])).toEqual([
    ["shadowed", "pdf"],
    ["disabled", "off"],
    ["broken", "no-front-matter"],
    ["plugin-off", "office"],
    ["filtered", "payroll"],
  ]);
  expect(snapshot.notServed.at(-1)).toMatchObject({ token: { kind: "name", glob: "payroll" } });
});

test("pipeline: a profile removes without a reason, and names are as without the rest", async () => {
  const sandbox = createSandbox();
  writeSkills(sandbox);
  const snapshot = await open(sandbox);
  const profile = filterWithout("pdf", "off");
  const seen = snapshot.inProfile(profile);
  expect(seen.catalog.entries.map(({ listedAs }) => listedAs)).toEqual(["git"]);
  expect(seen.notServed.map(({ kind }) => kind)).toEqual(["filtered"]);
  expect(snapshot.inProfile(profile)).toBe(seen);
  expect(seen.inProfile(filterWithout("git")).catalog.entries).toEqual([]);
});

test("pipeline: what is disabled for a client is refused with the way back, and all others keep their names", async () => {
  const sandbox = createSandbox();
  writeSkills(sandbox);
  const whole = await open(sandbox);
  const whom = { kind: "agent", name: "codex" } as const;
  const seen = withoutDisabled(whole, { key: "a", sets: [{ names: new Set(["claude:pdf"]), whom }] });
  expect(seen.catalog.entries.map(({ listedAs }) => listedAs)).toEqual(["git"]);
  expect(seen.whole).toBe(whole);
  // The shadowed skill has the same full name, so it is disabled as well.
  expect(seen.notServed.filter(({ kind }) => kind === "shadowed" || kind === "disabled-for")).toMatchObject([
    { kind: "disabled-for", whom, entry: { listedAs: "pdf" } },
  ]);
  await expect(loadSkill(seen, "PDF")).rejects.toThrow(
    "Skill 'pdf' is disabled for Codex. To enable it, run: skills-mcp enable pdf --agent codex",
  );
  const same = withoutDisabled(whole, { key: "b", sets: [{ names: new Set(["claude:other"]), whom }] });
  expect(same).toBe(whole);
  expect(withoutDisabled(whole, undefined)).toBe(whole);
});
