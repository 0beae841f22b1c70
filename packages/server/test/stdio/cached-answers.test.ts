import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { compose } from "../../src/compose.ts";
import { createToolList } from "../../src/mcp/definitions/tool-list.ts";
import { DEFAULT_TOOLS } from "../../src/mcp/definitions/tool-sets.ts";
import { openCachedAnswers } from "../../src/stdio/cached-answers.ts";

/** Nothing changed so shortly before the scan that it may change again unseen. */
const LATER = Date.now() + 60_000;

/** A machine with so many skills, and its list of tools in the cache. */
async function cachedAnswersOf(skills: number, scannedAt = LATER, budget?: number) {
  const sandbox = createSandbox();
  for (let index = 0; index < skills; index++) sandbox.skill(`project/.claude/skills/skill-${index}`);
  sandbox.write(
    "project/.claude/skills/deploy/SKILL.md",
    "---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\n",
  );
  sandbox.write("project/.claude/skills/skill-1/agents/openai.yaml", "interface: {}\n");
  sandbox.write("project/.claude/skills/skill-2/agents/other.yaml", "");
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home });
  const snapshot = await services.skills.snapshot();
  await close();
  const folder = sandbox.path("home/.skills-mcp/cache");
  const listTools = createToolList({
    tools: DEFAULT_TOOLS.loader,
    toolNames: "dotted",
    descriptionFormat: "xml",
    descriptionBudget: budget,
  });
  const list = listTools(snapshot, { name: "a client" });
  openCachedAnswers(folder, "key", "use").write(list, snapshot, scannedAt);
  const read = (key = "key", use = "use") => openCachedAnswers(folder, key, use).read();
  return { sandbox, folder, list, read };
}

describe("the cache of first answers", () => {
  test("returns what was written, and only for the same key", async () => {
    const { list, read } = await cachedAnswersOf(12);
    expect(read()).toEqual({ answer: list.answer, instructions: list.instructions });
    expect(read("another key")).toBeUndefined();
  });

  test("of a list that is cut is returned only while the same skills are likely to be used", async () => {
    const whole = await cachedAnswersOf(3);
    expect(whole.list.complete).toBe(true);
    expect(whole.read("key", "other use")).toBeDefined();
    const cut = await cachedAnswersOf(12, LATER, 400);
    expect(cut.list.complete).toBe(false);
    expect(cut.read("key", "use")).toBeDefined();
    expect(cut.read("key", "other use")).toBeUndefined();
  });

  test("removes files of other projects and clients after a while", async () => {
    const { sandbox, folder, list, read } = await cachedAnswersOf(3);
    const old = sandbox.write("home/.skills-mcp/cache/tools-0000.json", "{}");
    const other = sandbox.write("home/.skills-mcp/cache/recent-skills.json", "{}");
    for (const file of [old, other]) utimesSync(file, 1, 1);
    const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home });
    openCachedAnswers(folder, "another key", "use").write(list, await services.skills.snapshot(), LATER);
    await close();
    expect([existsSync(old), existsSync(other)]).toEqual([false, true]);
    expect([read(), read("another key")]).not.toContain(undefined);
  });

  test("is not written when something changed just before the scan", async () => {
    expect((await cachedAnswersOf(12, Date.now())).read()).toBeUndefined();
  });

  const changes: readonly (readonly [string, (sandbox: Sandbox) => void])[] = [
    ["a skill is added", (sandbox) => void sandbox.skill("project/.claude/skills/another")],
    [
      "a skill is removed",
      ({ path: at }) => rmSync(at("project/.claude/skills/skill-7"), { recursive: true }),
    ],
    [
      "a listed skill is edited",
      ({ path: at }) => utimesSync(at("project/.claude/skills/skill-0/SKILL.md"), 1, 1),
    ],
    [
      "a skill that is not for models is edited",
      ({ path: at }) => utimesSync(at("project/.claude/skills/deploy/SKILL.md"), 1, 1),
    ],
    [
      "the settings beside a skill are edited",
      ({ path: at }) => utimesSync(at("project/.claude/skills/skill-1/agents/openai.yaml"), 1, 1),
    ],
    [
      "settings come to a folder that exists",
      (sandbox) => void sandbox.write("project/.claude/skills/skill-2/agents/openai.yaml", ""),
    ],
    ["another folder with skills appears", (sandbox) => void sandbox.skill("home/.codex/skills/new")],
  ];
  test.each(changes)("is not used when %s", async (_what, change) => {
    const { sandbox, read } = await cachedAnswersOf(12);
    change(sandbox);
    expect(read()).toBeUndefined();
  });

  test("is not used when its file is damaged", async () => {
    const { folder, read } = await cachedAnswersOf(12);
    const name = readdirSync(folder).find((file) => file.startsWith("tools-")) ?? "";
    writeFileSync(path.join(folder, name), '{"key":"key"');
    expect(read()).toBeUndefined();
  });
});
