import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runBin } from "../../../../../test/support/bin.ts";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import type { ProblemsAnswer } from "../../../src/wire/problems.ts";
import type {
  AudiencesAnswer,
  OriginAnswer,
  RowFindingsAnswer,
  SkillFactsAnswer,
  ToggledAnswer,
} from "../../../src/wire/skill-facts.ts";
import type { SkillColumns, SkillDetail } from "../../../src/wire/skills.ts";
import { openApi } from "./open-api.ts";

function shop(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf", { description: "Reads PDF files." });
  sandbox.skill("project/.claude/skills/review", { description: "Reviews changes." });
  sandbox.skill("project/.codex/skills/review", { description: "Reviews for Codex." });
  return sandbox;
}

describe("the facts of the rows", () => {
  test("stand in the order of the list, and say how often each was used by whoever asks", async () => {
    const { services, get } = openApi(shop());
    services.usage.record("skill_served", { skill_path: "pdf", via: "skill" }, { caller: "ann" });
    await expect.poll(async () => ((await get("skills/facts")).json as SkillFactsAnswer).uses[2]).toBe(1);
    const list = (await get("skills")).json as SkillColumns;
    const facts = (await get("skills/facts")).json as SkillFactsAnswer;
    expect(list.name).toEqual(["claude:review", "codex:review", "pdf"]);
    expect(facts.tag).toBe(list.tag);
    expect(facts.tokens.every((tokens) => tokens > 5)).toBe(true);
    expect(facts.changed.every((at) => Math.abs(at - Date.now() / 1000) < 600)).toBe(true);
    expect(facts.source.values).toEqual(["local"]);
    const others = (await get("skills/facts", { subject: "bob", scopes: new Set(["skills:read"]) }))
      .json as SkillFactsAnswer;
    expect(others.uses).toEqual([0, 0, 0]);
  });

  test("count what is wrong with each row", async () => {
    const sandbox = shop();
    sandbox.skill("project/.claude/skills/pdf", {
      description: "Reads PDF files and fills their forms. Use when a task is about a PDF file.",
      body: "See [this](missing.md).\n",
    });
    const { get } = openApi(sandbox);
    const { rows, errors, others } = (await get("skills/findings")).json as RowFindingsAnswer;
    const at = rows.indexOf(2);
    // A dead link is an error of `validate`; the skill is served all the same, so it counts as on the Overview and in Health.
    expect([errors[at], others[at]]).toEqual([0, 1]);
    const { counts } = (await get("problems")).json as ProblemsAnswer;
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
    expect([sum(errors), sum(others)]).toEqual([counts.error, counts.warning + counts.advice]);
    const { diagnostics } = (await get("skill?name=pdf")).json as SkillDetail;
    expect(diagnostics.map(({ severity }) => severity)).toEqual(["advice"]);
  });
});

describe("the origin of a skill", () => {
  test("is a folder, or what it was installed from with a diff against that", async () => {
    const sandbox = shop();
    sandbox.skill("vendor/forms", { description: "Fills forms." });
    runBin(sandbox, ["add", sandbox.path("vendor"), "forms", "--yes"]);
    const { get } = openApi(sandbox);
    const ask = async (name: string) => (await get(`skill/origin?name=${name}`)).json as OriginAnswer;
    expect(await ask("pdf")).toMatchObject({ kind: "local", disabledFor: [] });
    expect(await ask("forms")).toMatchObject({ kind: "lock", state: "as-installed" });
    const file = sandbox.path("project/.agents/skills/forms/SKILL.md");
    sandbox.write(
      "project/.agents/skills/forms/SKILL.md",
      `${readFileSync(file, "utf8")}\nAlso sign them.\n`,
    );
    const edited = await ask("forms");
    expect(edited).toMatchObject({ state: "edited", files: ["SKILL.md"] });
    expect(edited.diff).toContain("+Also sign them.");
  });
});

describe("enabling and disabling several skills", () => {
  test("goes by their files, and back", async () => {
    const sandbox = shop();
    const { get, post } = openApi(sandbox);
    const files = [
      sandbox.path("project/.claude/skills/review/SKILL.md"),
      sandbox.path("project/.claude/skills/pdf/SKILL.md"),
    ];
    const off = (await post("skills/toggle", { files, to: "disabled" })).json as ToggledAnswer;
    expect(off.command).toBe("skills-mcp disable claude:review pdf");
    expect(off.skills.map(({ changed }) => changed)).toEqual([true, true]);
    expect(((await get("skills")).json as SkillColumns).status.values).toContain("disabled");
    const back = off.skills.map(({ file }) => file);
    const on = (await post("skills/toggle", { files: back, to: "enabled" })).json as ToggledAnswer;
    expect(on.skills.map(({ file }) => file)).toEqual(files);
    expect(((await get("skills")).json as SkillColumns).status.values).not.toContain("disabled");
    expect((await post("skills/toggle", { files: ["/etc/passwd"], to: "disabled" })).status).toBe(404);
  });

  test("for one agent or profile touches no file", async () => {
    const sandbox = shop();
    const { get, post } = openApi(sandbox);
    const files = [sandbox.path("project/.claude/skills/pdf/SKILL.md")];
    const { json } = await post("skills/toggle", { files, to: "disabled", agent: "Claude Code" });
    expect((json as ToggledAnswer).command).toBe("skills-mcp disable pdf --agent claude-code");
    expect(existsSync(files[0] ?? "")).toBe(true);
    const { agents } = (await get("audiences")).json as AudiencesAnswer;
    expect(agents.find(({ name }) => name === "claude-code")).toMatchObject({
      title: "Claude Code",
      disabled: 1,
    });
    expect((await get("skill/origin?name=pdf")).json).toMatchObject({
      disabledFor: [{ kind: "agent", name: "claude-code" }],
    });
    await post("skills/toggle", { files, to: "enabled", agent: "claude-code" });
    expect((await get("skill/origin?name=pdf")).json).toMatchObject({ disabledFor: [] });
    await post("skills/toggle", { files, to: "disabled", profile: "ops" });
    expect(((await get("audiences")).json as AudiencesAnswer).profiles).toEqual([
      { name: "ops", disabled: 1 },
    ]);
  });
});

describe("a new skill", () => {
  const WANTED = {
    name: "merge-tables",
    scope: "project",
    description: "Merges tables: one header, all rows.",
    prompts: ["join two spreadsheets"],
  };

  test("is written, served, and taken away again while nobody has changed it", async () => {
    const sandbox = shop();
    const { get, post } = openApi(sandbox);
    const { json } = await post("skills/new", WANTED);
    expect(json).toMatchObject({ served: true, files: ["SKILL.md", "evals/prompts.json"] });
    expect((await get("skill?name=merge-tables")).json).toMatchObject({ description: WANTED.description });
    const dir = sandbox.path("project/.agents/skills/merge-tables");
    expect(readFileSync(`${dir}/evals/prompts.json`, "utf8")).toContain("join two spreadsheets");
    expect((await post("skills/new", WANTED)).status).toBe(409);
    expect((await post("skills/new/undo", WANTED)).status).toBe(200);
    expect(existsSync(dir)).toBe(false);
    await post("skills/new", WANTED);
    sandbox.write("project/.agents/skills/merge-tables/notes.md", "Mine.\n");
    expect((await post("skills/new/undo", WANTED)).status).toBe(409);
    expect(existsSync(dir)).toBe(true);
  });

  test("is the same as the command writes", async () => {
    const sandbox = shop();
    await openApi(sandbox).post("skills/new", WANTED);
    const dir = sandbox.path("project/.agents/skills/merge-tables");
    const file = (folder: string) => readFileSync(`${folder}/SKILL.md`, "utf8");
    const args = ["--description", WANTED.description, "--prompt", "join two spreadsheets", "--dir", "other"];
    runBin(sandbox, ["new", "merge-tables", ...args]);
    expect(file(sandbox.path("project/other/merge-tables"))).toBe(file(dir));
  });

  test.each(["../x", "Big Name", "", "a/b"])("is not called '%s'", async (name) => {
    expect((await openApi(shop()).post("skills/new", { ...WANTED, name })).status).toBe(400);
  });
});

describe("a prompt for the evals of a skill", () => {
  test("is added once, and taken out again with the file", async () => {
    const sandbox = shop();
    const { post } = openApi(sandbox);
    const body = { skill: "pdf", prompt: "merge two files", shouldTrigger: true };
    expect((await post("evals/add", body)).json).toMatchObject({ changed: true });
    expect((await post("evals/add", body)).json).toMatchObject({ changed: false });
    const file = sandbox.path("project/.claude/skills/pdf/evals/prompts.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([
      { query: "merge two files", should_trigger: true },
    ]);
    expect((await post("evals/remove", body)).json).toMatchObject({ changed: true });
    expect(existsSync(sandbox.path("project/.claude/skills/pdf/evals"))).toBe(false);
  });

  test("is not written through a link, and not over what is no list", async () => {
    const sandbox = shop();
    const { post } = openApi(sandbox);
    const body = { skill: "pdf", prompt: "merge", shouldTrigger: false };
    sandbox.write("project/.claude/skills/pdf/evals/prompts.json", "{}");
    expect((await post("evals/add", body)).status).toBe(409);
    sandbox.write("elsewhere/prompts.json", "[]");
    symlinkSync(sandbox.path("elsewhere"), sandbox.path("project/.codex/skills/review/evals"));
    expect((await post("evals/add", { ...body, skill: "codex:review" })).status).toBe(409);
    expect(readFileSync(sandbox.path("elsewhere/prompts.json"), "utf8")).toBe("[]");
  });

  test("is the same from the command line", () => {
    const sandbox = shop();
    const args = ["eval", "--skill", "pdf", "--add-prompt", "merge two files"];
    expect(runBin(sandbox, args).stdout).toContain("Added the prompt to");
    expect(runBin(sandbox, args).stdout).toContain("has this prompt already");
    expect(runBin(sandbox, ["eval", "--add-prompt", "x"]).stderr).toContain("needs one skill");
    const removed = runBin(sandbox, ["eval", "--skill", "pdf", "--remove-prompt", "merge two files"]);
    expect(removed.stdout).toContain("Took the prompt out of");
  });
});
