import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { describedSkills, ERAS, loadSkill } from "../support/client.ts";
import { commandJson, connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const FILE = "home/.skills-mcp/disabled.json";

function withSkills(): Sandbox {
  const sandbox = createSandbox();
  for (const name of ["pdf", "git"])
    sandbox.skill(`home/.kiro/skills/${name}`, { description: `Merges ${name} files.` });
  sandbox.write("home/.kiro/skills/pdf/scripts/run.sh", "echo hi\n");
  return sandbox;
}

describe.each(ERAS)("a skill that is disabled for one agent, in the %s era", (era) => {
  test("is nowhere in what that agent sees, and is refused by name with the way back", async () => {
    const sandbox = withSkills();
    sandbox.write(FILE, JSON.stringify({ version: 1, agents: { codex: ["kiro:pdf"] } }));
    const args = ["mcp", "--tools", "loader,finder"];
    const { client, ...connection } = await connect(sandbox, { era, clientName: "codex-mcp-client", args });
    const whole = { client, ...connection };
    const told = (await describedSkills(whole)) + (client.getInstructions() ?? "");
    expect(told).toContain("Merges git");
    expect(told).not.toContain("Merges pdf");
    const loaded = await loadSkill(whole, "PDF");
    expect(loaded).toMatchObject({
      isError: true,
      text: "Skill 'pdf' is disabled for Codex. To enable it, run: skills-mcp enable pdf --agent codex",
    });
    expect((await loadSkill(whole, "kiro:pdf")).isError).toBe(true);
    expect((await loadSkill(whole, "git")).isError).toBe(false);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["git"]);
    await expect(client.getPrompt({ name: "pdf" })).rejects.toThrow(/enable pdf --agent codex/);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).join()).not.toContain("pdf");
    await expect(client.readResource({ uri: "skill://kiro/pdf/SKILL.md" })).rejects.toThrow();
    const found = await client.callTool({ name: "find_skills", arguments: { task: "merge pdf files" } });
    expect(JSON.stringify(found)).not.toContain("kiro/skills/pdf");
  });

  test("is there for every other agent", async () => {
    const sandbox = withSkills();
    sandbox.write(FILE, JSON.stringify({ agents: { codex: ["kiro:pdf"] } }));
    const connection = await connect(sandbox, { era, clientName: "cursor-vscode" });
    expect(await describedSkills(connection)).toContain("Merges pdf");
    expect((await loadSkill(connection, "pdf")).isError).toBe(false);
  });
});

test("the catalog tools leave it out as well", async () => {
  const sandbox = withSkills();
  sandbox.write(FILE, JSON.stringify({ agents: { cursor: ["kiro:pdf"] } }));
  const { client } = await connect(sandbox, {
    era: "2025-11-25",
    clientName: "cursor-vscode",
    args: ["mcp", "--tools", "catalog,read_skill_file"],
  });
  for (const [name, given] of [
    ["skills.list", {}],
    ["skills.search", { query: "merges" }],
  ] as const) {
    const answer = JSON.stringify(await client.callTool({ name, arguments: given }));
    expect(answer).toContain("git");
    expect(answer).not.toContain("pdf");
  }
  const file = await client.callTool({
    name: "read_skill_file",
    arguments: { skill: "pdf", path: "scripts/run.sh" },
  });
  expect(JSON.stringify(file)).toContain("is disabled for Cursor");
});

test("disable and enable with --agent change one file, and info, list and doctor show it", async () => {
  const sandbox = withSkills();
  const run = async (...args: string[]) => await runCommand(sandbox, args);
  expect(await run("disable", "pdf", "git", "--agent", "Claude Code")).toMatchObject({
    code: 0,
    stdout: "Disabled pdf for Claude Code.\nDisabled git for Claude Code.\n",
  });
  expect((await run("disable", "pdf", "--agent", "claude")).stdout).toBe(
    "pdf is already disabled for Claude Code.\n",
  );
  expect(JSON.parse(readFileSync(sandbox.path(FILE), "utf8"))).toEqual({
    version: 1,
    agents: { "claude-code": ["kiro:git", "kiro:pdf"] },
    profiles: {},
  });
  expect((await run("info", "pdf")).stdout).toContain("Disabled   for Claude Code\n");
  expect(await commandJson(sandbox, "list", "--json")).toMatchObject({
    skills: [{ disabledFor: [{ kind: "agent", name: "claude-code" }] }, {}],
  });
  const listed = await run("list", "--disabled");
  expect(listed.stdout).toMatch(/^pdf +kiro +user +\[disabled for Claude Code\] Merges pdf files\.$/m);
  expect(listed.stdout).toContain("2 skills");
  expect((await run("doctor", "--client", "claude-code@2.1.325")).stdout).not.toContain("Merges pdf");
  expect(await commandJson(sandbox, "enable", "pdf", "git", "--agent", "claude-code", "--json")).toEqual({
    agent: "claude-code",
    skills: [
      { name: "pdf", changed: true },
      { name: "git", changed: true },
    ],
  });
  expect(JSON.parse(readFileSync(sandbox.path(FILE), "utf8"))).toMatchObject({ agents: {} });
});

test("an agent that is not known is refused, and what was recorded for one can be taken back", async () => {
  const sandbox = withSkills();
  expect(await runCommand(sandbox, ["disable", "pdf", "--agent", "home-made-bot"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Unknown agent 'home-made-bot'. Run skills-mcp connect --list") as string,
  });
  sandbox.write(FILE, JSON.stringify({ version: 1, agents: { foo: ["kiro:pdf"] } }));
  expect((await runCommand(sandbox, ["list", "--disabled", "--format", "names"])).stdout).toBe("pdf\n");
  expect(await runCommand(sandbox, ["enable", "pdf", "--agent", "foo"])).toMatchObject({
    code: 0,
    stdout: "Enabled pdf for foo.\n",
  });
  expect((await runCommand(sandbox, ["list", "--disabled"])).stdout).toBe("No disabled skills.\n");
});

test("a profile leaves its skills out for whoever is served it, and a misspelled one is refused", async () => {
  const sandbox = withSkills();
  expect((await runCommand(sandbox, ["disable", "pdf", "--profile", "review"])).stdout).toBe(
    "Disabled pdf in the profile 'review'.\n",
  );
  const connection = await connect(sandbox, { era: "2025-11-25", args: ["mcp", "--profile", "review"] });
  expect(await describedSkills(connection)).not.toContain("Merges pdf");
  const refused = await loadSkill(connection, "pdf");
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toContain("Skill 'pdf' not found.");
  expect(refused.text).not.toMatch(/disabled|profile|Merges pdf/);
  expect(await runCommand(sandbox, ["mcp", "--profile", "reveiw"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "There is no profile 'reveiw'. Did you mean 'review'? The profiles are review.",
    ) as string,
  });
});

test("a file that cannot be read is never overwritten, and a server says so and starts", async () => {
  const sandbox = withSkills();
  const file = sandbox.write(FILE, "{ broken");
  expect(await runCommand(sandbox, ["disable", "pdf", "--agent", "codex"])).toMatchObject({
    code: 1,
    stderr: `skills-mcp: ${file}: The file cannot be read: it is not valid JSON. Fix or delete it.\n`,
  });
  expect(readFileSync(file, "utf8")).toBe("{ broken");
  const { code, stderr } = await runCommand(sandbox, ["mcp"]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/ error \S+disabled\.json: The file cannot be read/),
  ]);
});

test.each([
  [["disable", "pdf", "--agent", "codx"], "Unknown agent 'codx'. Did you mean codex?"],
  [["disable", "pdf", "--agent", "codex", "--profile", "x"], "--agent and --profile cannot be combined"],
  [["disable", "pdf", "--profile", "a b"], "--profile takes letters, digits"],
  [["disable", "--agent", "codex"], "disable takes one or more skill names"],
])("%j is refused", async (args, message) => {
  const { code, stderr } = await runCommand(createSandbox(), args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
