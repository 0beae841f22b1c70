import { expect, test } from "vitest";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { compose } from "../../../src/compose.ts";
import { createToolList } from "../../../src/mcp/definitions/tool-list.ts";
import { DEFAULT_TOOLS, withLibraryTools } from "../../../src/mcp/definitions/tool-sets.ts";
import { createToolFinder, toolsOf } from "../../../src/mcp/server/serve-tools.ts";

const SETTINGS = { toolNames: "dotted", descriptionFormat: "xml", descriptionBudget: undefined } as const;

async function openSnapshots() {
  const sandbox = createSandbox();
  for (const name of ["pdf", "sheets", "slides"]) sandbox.skill(`project/.claude/skills/${name}`);
  // Too many for the short description that Claude Code shows.
  for (let index = 0; index < 160; index++) sandbox.skill(`project/.claude/skills/more-${index}`);
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home });
  return { sandbox, services, close };
}

test("tool list: is written once for each snapshot and kind of client", async () => {
  const { sandbox, services, close } = await openSnapshots();
  const list = createToolList({ ...SETTINGS, tools: DEFAULT_TOOLS.loader });
  const before = await services.skills.snapshot();
  const whole = list(before, { name: "a client" });
  expect(list(before, { name: "a client" })).toBe(whole);
  expect(whole.answer.tools[0]?.description).toContain("slides");
  const short = list(before, { name: "claude-code" });
  expect(short).not.toBe(whole);
  expect([whole.searchable, short.searchable]).toEqual([false, true]);

  const [old, recent] = ["0.166.0", "0.169.0"].map((version) => list(before, { name: "codex", version }));
  expect(old?.instructions).not.toBe(recent?.instructions);

  sandbox.skill("project/.claude/skills/letters");
  const after = list(await services.skills.refresh(), { name: "a client" });
  expect(after.answer.tools[0]?.description).toContain("letters");
  await close();
});

test("tool list: shows names with underscores when asked to; a tool is found by either name", async () => {
  const { services, close } = await openSnapshots();
  const { loaderAndCatalog } = DEFAULT_TOOLS;
  const list = createToolList({ ...SETTINGS, toolNames: "underscore", tools: loaderAndCatalog });
  const names = list(await services.skills.snapshot(), undefined).answer.tools.map(({ name }) => name);
  expect(names).toEqual(["skill", "skills_list", "skills_search"]);
  await close();

  const find = createToolFinder(toolsOf(loaderAndCatalog.always), loaderAndCatalog.always);
  expect(find("skills_list")).toBe(find("skills.list"));
  expect(() => find("skills-list")).toThrow(
    "Unknown tool: 'skills-list'. This server has skill, skills.list, skills.search.",
  );
});

test("tool list: has the tools that the caller's scopes allow, and is written once for each set of tools", async () => {
  const { services, close } = await openSnapshots();
  const list = createToolList({ ...SETTINGS, tools: withLibraryTools(DEFAULT_TOOLS.loader) });
  const snapshot = await services.skills.snapshot();
  const reader = list(snapshot, undefined, ["skills:read"]);
  const names = reader.answer.tools.map(({ name }) => name);
  expect(names).toContain("get_skill");
  expect(names).not.toContain("run_script");
  expect(list(snapshot, undefined, ["skills:read", "other"])).toBe(reader);
  const runner = list(snapshot, undefined, ["skills:read", "skills:run"]);
  expect(runner.answer.tools.map(({ name }) => name)).toContain("run_script");
  await close();
});
