import { expect, test } from "vitest";
import { ERAS } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";

const SKILL = "skill://{provider}/{name}/{+file}";
const PLUGIN = "skill://claude-plugin/{plugin}/{name}/{+file}";

test.each(ERAS)("the parts of a resource's URI are completed, protocol %s", async (era) => {
  const sandbox = createSandbox();
  for (const name of ["pdf", "pdf-forms", "docx"]) sandbox.skill(`project/.claude/skills/${name}`);
  sandbox.write("project/.claude/skills/pdf/references/FORMS.md", "");
  sandbox.skill("home/.codex/skills/pptx");
  sandbox.skill("home/.claude/plugins/cache/office/xlsx");
  const plugins = { "office@market": [{ installPath: "cache/office" }] };
  sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));
  for (let index = 0; index < 120; index++) {
    sandbox.write(`library/many/m${index}.md`, `---\nkeywords: [m]\ndescription: M${index}.\n---\n`);
  }
  const { client } = await connect(sandbox, { era, env: { SKILLS_DIR: sandbox.path("library") } });
  const complete = async (uri: string, name: string, value: string, given: Record<string, string> = {}) => {
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri },
      argument: { name, value },
      context: { arguments: given },
    });
    return completion;
  };
  const values = async (...args: Parameters<typeof complete>) => (await complete(...args)).values;

  expect(await values(SKILL, "provider", "")).toEqual(["claude", "codex"]);
  expect(await values(SKILL, "name", "P", { provider: "claude" })).toEqual(["pdf", "pdf-forms"]);
  expect(await values(SKILL, "name", "p")).toEqual(["pdf", "pdf-forms", "pptx"]);
  expect(await values(SKILL, "name", "forms")).toEqual(["pdf-forms"]);
  const pdf = { provider: "claude", name: "pdf" };
  expect(await values(SKILL, "file", "", pdf)).toEqual(["SKILL.md", "references/FORMS.md"]);
  expect(await values(SKILL, "file", "ref", pdf)).toEqual(["references/FORMS.md"]);
  expect(await values(SKILL, "file", "")).toEqual([]);
  expect(await values(PLUGIN, "plugin", "")).toEqual(["office"]);
  expect(await values(PLUGIN, "name", "x", { plugin: "office" })).toEqual(["xlsx"]);
  const many = await complete("library://{+skill_path}", "skill_path", "many/");
  expect([many.values.length, many.total, many.hasMore]).toEqual([100, 120, true]);
  await expect(values("skill://nothing", "name", "")).rejects.toMatchObject({ code: -32602 });

  const prompt = {
    ref: { type: "ref/prompt", name: "pdf" },
    argument: { name: "task", value: "x" },
  } as const;
  expect((await client.complete(prompt)).completion.values).toEqual([]);
  const unknown = { ...prompt, ref: { type: "ref/prompt", name: "nothing" } } as const;
  await expect(client.complete(unknown)).rejects.toMatchObject({ code: -32602 });
});
