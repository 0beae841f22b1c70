import { describe, expect, test } from "vitest";

import { describedSkills, ERAS, loadSkill } from "../support/client.ts";
import { commandJson, connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const CONFIG = "home/.skills-mcp/config.yaml";

function withProfiles(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("home/.claude/skills/pdf", { description: "Merges secret pdf files." });
  sandbox.skill("home/.codex/skills/pdf", { description: "Fills open pdf forms." });
  sandbox.skill("home/.codex/skills/charts", { description: "Draws open charts." });
  sandbox.skill("home/.claude/skills/payroll", { description: "Pays secret salaries." });
  sandbox.write(
    CONFIG,
    "profiles:\n  open: {include: [codex]}\n  few: {exclude: [pdf], tools: [loader], description_budget: 500}\n",
  );
  return sandbox;
}

describe.each(ERAS)("a server with a profile, in the %s era", (era) => {
  test("shows only what the profile leaves, under the names of a server without the rest", async () => {
    const args = ["mcp", "--profile", "open", "--tools", "all"];
    const sandbox = withProfiles();
    sandbox.write("library/a.md", "---\ndescription: open\nkeywords: [x]\n---\ntext\n");
    const connection = await connect(sandbox, { era, args: [...args, "--library", sandbox.path("library")] });
    const { client } = connection;
    const told = [
      await describedSkills(connection),
      client.getInstructions(),
      await client.listPrompts(),
      await client.listResources(),
      await client.listTools(),
      await client.callTool({ name: "find_skills", arguments: { task: "merge secret pdf salaries" } }),
      await client.callTool({ name: "skills.list", arguments: { includeBody: true } }),
      await client.callTool({ name: "skills.search", arguments: { query: "secret" } }),
      await loadSkill(connection, "payrol"),
      await loadSkill(connection, "claude:pdf"),
    ];
    const text = JSON.stringify(told);
    expect(text).toContain("Fills open pdf forms");
    expect(text).not.toMatch(/Merges secret|Pays secret|\.claude|codex:pdf/);
    expect((await loadSkill(connection, "pdf")).text).toContain("Fills open pdf forms");
  });
});

test("list, search, info and doctor show what a profile leaves, and doctor how many it leaves out", async () => {
  const sandbox = withProfiles();
  const names = async (...args: string[]) =>
    ((await commandJson(sandbox, "list", "--json", ...args)) as { skills: { name: string }[] }).skills.map(
      ({ name }) => name,
    );
  expect(await names()).toEqual(["charts", "claude:pdf", "codex:pdf", "payroll"]);
  expect(await names("--profile", "open")).toEqual(["charts", "pdf"]);
  expect(await runCommand(sandbox, ["info", "payroll", "--profile", "open"])).toMatchObject({ code: 1 });
  expect((await runCommand(sandbox, ["search", "salaries", "--profile", "open"])).stdout).not.toContain(
    "payroll",
  );
  expect((await runCommand(sandbox, ["doctor", "--profile", "open"])).stdout).toContain(
    "In the profile 'open', which leaves out 2 more skills",
  );
  expect(await commandJson(sandbox, "doctor", "--profile", "open", "--json")).toMatchObject({
    skills: 2,
    inForce: { profiles: ["open"], leftOut: 2 },
  });
});

test("a project narrows what the operator chose, and a flag on the command line is stronger than both files", async () => {
  const sandbox = withProfiles();
  sandbox.write("project/.skills-mcp.yaml", "server: {profile: few}\n");
  const names = async (...args: string[]) =>
    (await runCommand(sandbox, ["list", "--format", "names", ...args])).stdout;
  expect((await names()).trim()).toBe("charts\npayroll");
  sandbox.write(
    CONFIG,
    "server: {profile: open}\nprofiles:\n  open: {include: [codex]}\n  few: {exclude: [pdf]}\n",
  );
  expect((await names()).trim()).toBe("charts");
  expect((await names("--profile", "open")).trim()).toBe("charts\npdf");
  sandbox.write("project/.skills-mcp.yaml", "profiles: {few: {include: ['*']}}\nserver: {profile: few}\n");
  const ignored = await runCommand(sandbox, ["list", "--format", "names"]);
  expect(ignored.stdout.trim()).toBe("charts");
  expect(ignored.stderr).toContain("profiles was ignored, because a project may only narrow and add");
});

test("a profile or a filter that leaves nothing is named by list, search, status and the log of a server", async () => {
  const sandbox = withProfiles();
  sandbox.write(CONFIG, "profiles:\n  web: {include: ['web-*']}\n");
  const profile = ["--profile", "web"];
  const sentence = "The profile 'web' leaves none of 4 skills.";
  expect((await runCommand(sandbox, ["list", ...profile])).stdout).toContain(sentence);
  expect((await runCommand(sandbox, ["search", "pdf", ...profile])).stdout).toContain(sentence);
  expect((await runCommand(sandbox, ["status", ...profile])).stdout).toContain(
    "none: the profile 'web' leaves none of 4 skills",
  );
  expect((await runCommand(sandbox, ["list", "--include", "nope"])).stdout).toContain(
    "--include and --exclude leave none of 4 skills.",
  );
  const connection = await connect(sandbox, { era: "2025-11-25", args: ["mcp", ...profile] });
  await waitUntil("the log says so", () =>
    connection.log().includes("the profile 'web' leaves none of 4 skills"),
  );
});

test("what is wrong with a profile is named with its place", async () => {
  const sandbox = withProfiles();
  const problem = async (text: string): Promise<string> => {
    sandbox.write(CONFIG, text);
    return (await runCommand(sandbox, ["list", "--profile", "open"])).stderr.replace(
      sandbox.path(CONFIG),
      "config.yaml",
    );
  };
  expect(await problem("profiles:\n  open: {include: ['a:@b']}\n")).toContain(
    "config.yaml:2: profiles.open.include[0]",
  );
  expect(await problem("profiles:\n  open: {tools: [loder]}\n")).toContain(
    "profiles.open.tools does not accept 'loder'",
  );
  expect(await problem("profiles:\n  open: {inclde: [a]}\n")).toContain(
    "Did you mean profiles.open.include?",
  );
  expect(await problem("profiles:\n  open: {}\n")).toContain(
    "profiles.open is a map, but must be a map with at least one",
  );
  expect(await problem("profiles:\n  'a b': {scripts: false}\n")).toContain("a profile's name has letters");
});

test("tools and budgets are those of the profile", async () => {
  const { client } = await connect(withProfiles(), {
    era: "2025-11-25",
    args: ["mcp", "--profile", "few", "--tools", "loader,catalog"],
  });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["skill"]);
  expect(tools[0]?.description?.length).toBeLessThanOrEqual(500);
  await expect(client.callTool({ name: "skills.list", arguments: {} })).rejects.toThrow(/Unknown tool/);
});
