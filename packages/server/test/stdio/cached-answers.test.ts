import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { compose } from "../../src/compose.ts";
import { createToolList } from "../../src/mcp/definitions/tool-list.ts";
import { DEFAULT_TOOLS } from "../../src/mcp/definitions/tool-sets.ts";
import { openCachedAnswers } from "../../src/stdio/cached-answers.ts";

const listTools = createToolList({
  tools: DEFAULT_TOOLS.loader,
  toolNames: "dotted",
  descriptionFormat: "xml",
  descriptionBudget: undefined,
});
/** Nothing changed so shortly before the scan that it may change again unseen. */
const LATER = Date.now() + 60_000;

/** A machine with so many skills, and its list of tools in the cache. */
async function cachedAnswersOf(skills: number, scannedAt = LATER) {
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
  const list = listTools(snapshot, { name: "a client" });
  openCachedAnswers(folder, "key", 10).write(list, snapshot, scannedAt);
  return { sandbox, folder, list, read: (key = "key") => openCachedAnswers(folder, key).read() };
}

describe("the cache of first answers", () => {
  test("returns what was written, and only for the same key", async () => {
    const { list, read } = await cachedAnswersOf(12);
    expect(read()).toEqual({ answer: list.answer, instructions: list.instructions });
    expect(read("another key")).toBeUndefined();
  });

  test("is not written for few skills", async () => {
    expect((await cachedAnswersOf(8)).read()).toBeUndefined();
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
