import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../../test/support/sandbox.ts";
import type { ModelAnswer } from "../../../src/wire/model.ts";
import {
  SEEN,
  type SeenAnswer,
  type SkillSeenAnswer,
  type VisibilityAnswer,
} from "../../../src/wire/seen.ts";
import type { SkillColumns } from "../../../src/wire/skills.ts";
import { openApi } from "./open-api.ts";

const LONG =
  "Does one kind of task for whoever asks for it, with all the steps that it takes, one after the other.";

/** Skills of every kind: listed, read by an agent itself, kept from models, shadowed, disabled, broken and filtered. */
function everyKind(): Sandbox {
  const sandbox = createSandbox();
  for (let number = 10; number < 99; number++)
    sandbox.skill(`project/.agents/skills/task-${number}`, { description: LONG });
  sandbox.skill("project/.claude/skills/own", { description: "Is read by Claude Code itself." });
  sandbox.skill("home/.claude/skills/own", { description: "Is hidden by the other one." });
  sandbox.skill("home/.kiro/skills/other", { description: "Is disabled for Codex." });
  sandbox.write(
    "home/.kiro/skills/deploy/SKILL.md",
    "---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\n",
  );
  sandbox.write("home/.kiro/skills/off/.SKILL.md", "---\nname: off\ndescription: Off.\n---\n");
  sandbox.write("home/.kiro/skills/broken/SKILL.md", "no front matter\n");
  sandbox.skill("home/.kiro/skills/payroll", { description: "Is excluded." });
  sandbox.write("home/.skills-mcp/disabled.json", JSON.stringify({ agents: { codex: ["kiro:other"] } }));
  return sandbox;
}

const open = (sandbox: Sandbox) => openApi(sandbox, { filter: { exclude: ["payroll"] } });

describe("who sees which skill", () => {
  test("says of each agent what its lists say, for every skill that was found", async () => {
    const { get } = open(everyKind());
    const seen = (await get("seen")).json as SeenAnswer;
    const list = (await get("skills")).json as SkillColumns & { readonly tag: string };
    expect(seen.tag).toBe(list.tag);
    expect(seen.more).toEqual(["kiro:payroll"]);
    const names = [...list.name, ...seen.more];
    expect(seen.agents.length).toBeGreaterThan(20);
    for (const { client, version = "", connection, column, counts } of seen.agents) {
      const cells = seen.columns[column];
      const said = cells?.at.map((at) => cells.values[at] ?? "") ?? [];
      expect(said).toHaveLength(names.length);
      const query = new URLSearchParams({ client, version, connection });
      const model = (await get(`model?${query.toString()}`)).json as ModelAnswer;
      const { whole, cut, name, absent } = model.amounts;
      expect({ client, ...counts }).toMatchObject({ client, whole, cut, name, native: model.native.length });
      expect(counts.search).toBe(absent);
      for (const listed of model.list)
        expect(said[names.indexOf(listed.name)]?.split(" ")[0]).toBe(
          listed.shown === "absent" ? "search" : listed.shown,
        );
      expect(Object.keys(counts)).toEqual(Object.keys(SEEN));
      expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(names.length);
    }
  });

  test("gives the reason of each skill that is not there, the same for the list and for one skill", async () => {
    const { get } = open(everyKind());
    const seen = (await get("seen?client=codex")).json as SeenAnswer;
    const list = (await get("skills")).json as SkillColumns;
    expect(seen.agents.map(({ client }) => client)).toEqual(["codex"]);
    const [column] = seen.columns;
    const reasons: string[] = [];
    for (const [row, name] of [...list.name, ...seen.more].entries()) {
      const said = column?.values[column.at[row] ?? -1] ?? "";
      const file = `${list.folder.values[list.folder.at[row] ?? -1]}${list.tail[row]}`;
      const query = new URLSearchParams(row < list.count ? { file } : { name });
      const one = (await get(`skill/seen?client=codex&${query.toString()}`)).json as SkillSeenAnswer;
      const [codex] = one.agents;
      expect(one.name).toBe(name);
      expect(`${codex?.seen} ${codex?.why}`).toBe(said);
      if (!name.startsWith("task-")) reasons.push(`${said}: ${codex?.text}`);
    }
    expect(reasons.map((text) => text.replaceAll(/\/\S+\//g, "/…/"))).toEqual([
      "whole fits: Codex sees own with its whole description at turn 1.",
      "unlisted author: Codex does not list deploy, because its author keeps it from models; it loads by its exact name.",
      "hidden agent: Codex does not see other, because it is disabled for Codex.",
      "hidden shadowed: No agent sees own, because another skill of this name comes first: /…/own.",
      "hidden disabled: No agent sees off, because it is disabled.",
      "hidden broken: No agent sees broken, because its file cannot be read as a skill: No front matter.",
      "hidden filtered: No agent sees kiro:payroll, because the filter 'payroll' excludes it.",
    ]);
  });

  test("names what changes it", async () => {
    const { get } = open(everyKind());
    const leversOf = async (client: string, name: string) => {
      const { json } = await get(`skill/seen?client=${client}&name=${name}`);
      return (json as SkillSeenAnswer).agents[0]?.levers.map(({ command }) => command);
    };
    expect(await leversOf("codex", "other")).toEqual(["skills-mcp enable other --agent codex"]);
    expect(await leversOf("claude-code", "own")).toEqual(["--include-native"]);
    expect(await leversOf("claude-code", "task-50")).toContain("--description-budget <characters>");
    expect(await leversOf("codex", "off")).toEqual(["skills-mcp enable off"]);
  });

  test("shows nobody but an administrator what a filter keeps back, or the agents of the machine", async () => {
    const sandbox = everyKind();
    sandbox.write("home/.codex/config.toml", "");
    const { get } = open(sandbox);
    const own = (await get("seen?agents=here")).json as SeenAnswer;
    expect(own.agents.map(({ client, group }) => [client, group])).toContainEqual(["codex", "installed"]);
    const reader = { scopes: new Set(["skills:read"]) };
    const theirs = (await get("seen", reader)).json as SeenAnswer;
    expect(theirs.more).toEqual([]);
    expect(new Set(theirs.agents.map(({ group }) => group))).toEqual(new Set(["other"]));
    expect((await get("skill/seen?name=kiro:payroll", reader)).status).toBe(404);
  });

  test("a rule is written for one agent or for all, and what was written before takes it back", async () => {
    const sandbox = everyKind();
    sandbox.skill("home/.kiro/skills/tell", { description: "Tells a story." });
    const { get, post } = open(sandbox);
    const cellOf = async (client: string) => {
      const { json } = await get(`skill/seen?client=${client}&name=tell`);
      const { seen, why } = (json as SkillSeenAnswer).agents[0] ?? {};
      return `${seen} ${why}`;
    };
    const files = [sandbox.path("home/.kiro/skills/tell/SKILL.md")];
    const write = async (body: object) =>
      ((await post("skills/visibility", { files, ...body })).json as VisibilityAnswer).skills;
    const usual = [await cellOf("codex"), await cellOf("claude-desktop")];
    expect(await write({ rule: "manual", agent: "Codex" })).toEqual([{ name: "tell", file: files[0] }]);
    expect([await cellOf("codex"), await cellOf("claude-desktop")]).toEqual(["unlisted rule", usual[1]]);
    expect(await write({ rule: "always", agent: "codex" })).toMatchObject([{ before: "manual" }]);
    expect(await cellOf("codex")).toBe("whole rule");
    await write({ rule: "name-only" });
    expect([await cellOf("codex"), await cellOf("claude-desktop")]).toEqual(["whole rule", "name rule"]);
    await write({ agent: "codex" });
    await write({});
    expect([await cellOf("codex"), await cellOf("claude-desktop")]).toEqual(usual);
    expect((await post("skills/visibility", { files, rule: "never" })).status).toBe(400);
  });
});
