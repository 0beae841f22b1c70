import { mkdirSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { loadSkill } from "../support/client.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly location: string;
  readonly plugin?: string;
  readonly label?: string;
  readonly path: string;
  readonly shadowed: readonly { readonly path: string }[];
}

interface ListOptions {
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function list(sandbox: Sandbox, { args = [], cwd = sandbox.project, env = {} }: ListOptions = {}) {
  const { code, stdout, stderr } = await runCommand(sandbox, ["list", "--json", ...args], { cwd, env });
  expect(code, stderr).toBe(0);
  const listed = JSON.parse(stdout) as { skills: Listed[]; diagnostics: { code: string; file: string }[] };
  return { ...listed, names: listed.skills.map(({ name }) => name) };
}

describe("folders above the working directory", () => {
  function repository(): { readonly sandbox: Sandbox; readonly cwd: string } {
    const sandbox = createSandbox();
    sandbox.skill("repo/pkg/app/.claude/skills/near");
    sandbox.skill("repo/pkg/.github/skills/between");
    sandbox.skill("repo/.claude/skills/far");
    sandbox.skill("repo/.claude/skills/near", { description: "The farther one." });
    sandbox.skill(".claude/skills/outside");
    return { sandbox, cwd: sandbox.path("repo/pkg/app") };
  }

  test.each(["folder", "file"])(
    "are searched up to the one with a .git %s, and nearer ones win",
    async (kind) => {
      const { sandbox, cwd } = repository();
      if (kind === "folder") mkdirSync(sandbox.path("repo/.git"));
      else sandbox.write("repo/.git", "gitdir: elsewhere\n");
      const { skills, names } = await list(sandbox, { cwd });
      expect(names).toEqual(["between", "far", "near"]);
      expect(skills.map(({ location }) => location)).toEqual(["project", "project", "project"]);
      expect(skills[2]).toMatchObject({
        description: "Does near things.",
        shadowed: [{ path: sandbox.path("repo/.claude/skills/near") }],
      });
    },
  );

  test("are not searched outside of a repository", async () => {
    const { sandbox, cwd } = repository();
    expect((await list(sandbox, { cwd })).names).toEqual(["near"]);
  });

  test("are not searched because of a repository of dotfiles in the home folder", async () => {
    const sandbox = createSandbox();
    mkdirSync(sandbox.path("home/.git"));
    sandbox.skill("home/code/shop/.claude/skills/here");
    sandbox.skill("home/code/.claude/skills/above");
    sandbox.skill("home/.claude/skills/mine");
    const { skills } = await list(sandbox, { cwd: sandbox.path("home/code/shop") });
    expect(skills.map(({ name, location }) => [name, location])).toEqual([
      ["here", "project"],
      ["mine", "user"],
    ]);
  });

  test("are picked up when they appear", async () => {
    const { sandbox, cwd } = repository();
    mkdirSync(sandbox.path("repo/.git"));
    const connection = await connect(sandbox, { era: "2025-11-25", cwd, args: ["mcp", "--no-refresh"] });
    expect((await loadSkill(connection, "far")).isError).toBe(false);
    sandbox.skill("repo/pkg/.agents/skills/later");
    await waitUntil("the new folder is found", async () => !(await loadSkill(connection, "later")).isError);
  });
});

describe("folders that the environment moves", () => {
  const moved = (sandbox: Sandbox) => ({
    CLAUDE_CONFIG_DIR: sandbox.path("moved/claude"),
    CODEX_HOME: sandbox.path("moved/codex"),
    XDG_CONFIG_HOME: sandbox.path("moved/config"),
  });

  function withMovedSkills(): Sandbox {
    const sandbox = createSandbox();
    for (const folder of [".claude", ".codex", ".config/goose"]) {
      sandbox.skill(`home/${folder}/skills/home-${folder.slice(1).replace("/", "-")}`);
    }
    sandbox.skill("moved/claude/skills/claude-skill");
    sandbox.skill("moved/codex/skills/codex-skill");
    sandbox.skill("moved/config/goose/skills/goose-skill");
    sandbox.skill("moved/claude/plugins/cache/p/x");
    const plugins = { "p@m": { installPath: "cache/p" }, "off@m": { installPath: "cache/off" } };
    sandbox.write("moved/claude/plugins/installed_plugins.json", JSON.stringify({ plugins }));
    sandbox.write("moved/claude/settings.json", JSON.stringify({ enabledPlugins: { "off@m": false } }));
    sandbox.skill("moved/codex/plugins/cache/m/q/1.0.0/skills/y");
    return sandbox;
  }

  test("are searched there and not in the home folder, plugins and settings included", async () => {
    const sandbox = withMovedSkills();
    const { names, diagnostics } = await list(sandbox, { env: moved(sandbox) });
    expect(names).toEqual(["claude-skill", "codex-skill", "goose-skill", "p:x", "q:y"]);
    expect(diagnostics).toEqual([]);
  });

  test("are those of the home folder with --user-dir, and where a value is empty or relative", async () => {
    const sandbox = withMovedSkills();
    const home = ["home-claude", "home-codex", "home-config-goose"];
    expect((await list(sandbox, { env: moved(sandbox), args: ["--user-dir", sandbox.home] })).names).toEqual(
      home,
    );
    const env = { CLAUDE_CONFIG_DIR: "", CODEX_HOME: "../moved/codex", XDG_CONFIG_HOME: " " };
    expect((await list(sandbox, { env })).names).toEqual(home);
  });
});

describe("plugins of other agents", () => {
  const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";

  function withPlugins(): Sandbox {
    const sandbox = createSandbox();
    sandbox.skill("home/.codex/plugins/cache/market/cx/0.9.0/skills/one", { description: "Old." });
    sandbox.skill("home/.codex/plugins/cache/market/cx/0.10.0/skills/one");
    sandbox.skill("home/.copilot/installed-plugins/market/cp/skills/two");
    sandbox.skill("home/.copilot/installed-plugins/_direct/owner--repo/skills/three");
    sandbox.skill("home/.gemini/extensions/ge/skills/four");
    sandbox.skill("project/.agents/plugins/ap/skills/five");
    const manifest = JSON.stringify({ $schema: SCHEMA, name: "acme" });
    sandbox.write("project/.agents/plugins/ap/plugin.json", manifest);
    sandbox.write("project/.agents/plugins/broken/plugin.json", "{");
    sandbox.skill("project/.claude/skills/plain");
    return sandbox;
  }

  test("are served after everything else, by plugin and name, and a broken one is one diagnostic", async () => {
    const sandbox = withPlugins();
    const { skills, diagnostics } = await list(sandbox);
    expect(skills.map(({ name, provider, location, plugin }) => [name, provider, location, plugin])).toEqual([
      ["plain", "claude", "project", undefined],
      ["acme:five", "agents", "plugin", "acme"],
      ["cp:two", "copilot", "plugin", "cp@market"],
      ["cx:one", "codex", "plugin", "cx@market"],
      ["ge:four", "gemini", "plugin", "ge"],
      ["owner--repo:three", "copilot", "plugin", "owner--repo"],
    ]);
    expect(skills[3]?.description).toBe("Does one things.");
    const file = sandbox.path("project/.agents/plugins/broken/plugin.json");
    expect(diagnostics).toEqual([expect.objectContaining({ code: "plugin-entry", file })]);
    expect(await list(sandbox, { args: ["--no-plugins"] })).toMatchObject({
      names: ["plain"],
      diagnostics: [],
    });
  });

  test("appear in doctor, and one that is turned off says where", async () => {
    const sandbox = withPlugins();
    const config = sandbox.write("home/.codex/config.toml", '[plugins."cx@market"]\nenabled = false\n');
    const { stdout } = await runCommand(sandbox, ["doctor"]);
    expect(stdout).toContain(
      `1 skill     ${sandbox.path("project/.agents/plugins/ap/skills")} (plugin acme)`,
    );
    const { code, stderr } = await runCommand(sandbox, ["info", "codex:cx:one"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`the plugin 'cx@market' is turned off in ${config}. Set \`enabled = true\``);
  });

  test("are picked up when they are installed, updated and removed", async () => {
    const sandbox = createSandbox();
    mkdirSync(sandbox.path("home/.codex"));
    const connection = await connect(sandbox, { era: "2025-11-25", args: ["mcp", "--no-refresh"] });
    const loads = async (name: string) => (await loadSkill(connection, name)).text;
    expect(await loads("cx:one")).toContain("not found");
    sandbox.skill("home/.codex/plugins/cache/market/cx/1.0.0/skills/one", { body: "first" });
    await waitUntil("it is installed", async () => (await loads("cx:one")).includes("first"));
    sandbox.skill("home/.codex/plugins/cache/market/cx/1.1.0/skills/one", { body: "second" });
    await waitUntil("it is updated", async () => (await loads("cx:one")).includes("second"));
    sandbox.write("home/.codex/config.toml", '[plugins."cx@market"]\nenabled = false\n');
    await waitUntil("it is turned off", async () => (await loads("cx:one")).includes("not found"));
  });
});

describe("--lenient", () => {
  function withIncompleteSkills(): Sandbox {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/good");
    sandbox.write("project/.claude/skills/unnamed/SKILL.md", "---\ndescription: Has no name.\n---\nText.\n");
    const long = `x: ${"y".repeat(6_000)}`;
    const text = `---\nname: terse\n${long}\n---\n# Terse\n\nDoes terse things. And more.\n`;
    sandbox.write("project/.claude/skills/terse/SKILL.md", text);
    sandbox.write("project/.claude/skills/plain/SKILL.md", "# Plain\n\nNo front matter at all.\n");
    sandbox.write("project/.claude/skills/broken/SKILL.md", "---\nname: [\n---\n");
    return sandbox;
  }

  test("serves what has no name or description; without it that is skipped, and the reason names the flag", async () => {
    const sandbox = withIncompleteSkills();
    const plain = await list(sandbox);
    expect(plain.names).toEqual(["good"]);
    expect(plain.diagnostics).toHaveLength(4);
    expect((await runCommand(sandbox, ["list"])).stderr).toMatch(
      /`name` is missing .* Or serve it .* `--lenient`\./,
    );
    const { skills, diagnostics } = await list(sandbox, { args: ["--lenient"] });
    expect(skills.map(({ name, description }) => [name, description])).toEqual([
      ["good", "Does good things."],
      ["plain", "No front matter at all."],
      ["terse", "Does terse things."],
      ["unnamed", "Has no name."],
    ]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ file: sandbox.path("project/.claude/skills/broken/SKILL.md") }),
    );
  });

  test("loads, searches and explains them like any other skill", async () => {
    const sandbox = withIncompleteSkills();
    const connection = await connect(sandbox, { era: "2025-11-25", args: ["mcp", "--lenient"] });
    expect(await loadSkill(connection, "plain")).toMatchObject({
      isError: false,
      text: expect.stringContaining("# Plain\n\nNo front matter at all.\n") as unknown,
    });
    expect((await loadSkill(connection, "unnamed")).text).toContain("description: Has no name.");
    expect((await runCommand(sandbox, ["search", "--lenient", "terse"])).stdout).toContain("terse");
    expect((await runCommand(sandbox, ["info", "--lenient", "unnamed"])).stdout).toContain(
      "`name` is missing",
    );
  });

  test.each([["list"], ["mcp"], ["doctor"]])("is refused beside --strict by %s", async (command) => {
    const { code, stderr } = await runCommand(createSandbox(), [command, "--strict", "--lenient"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^skills-mcp: --strict and --lenient contradict each other: .*\n$/);
  });
});

test("skills that an agent put there by itself have a label in list, info and doctor", async () => {
  const sandbox = createSandbox();
  sandbox.skill("home/.codex/skills/.system/imagegen");
  sandbox.skill("home/.codex/skills/mine");
  sandbox.skill("home/.claude/skills/synced/account/brand");
  const labels = (await list(sandbox)).skills.map(({ name, label }) => [name, label]);
  expect(labels).toEqual([
    ["brand", "synced from claude.ai"],
    ["imagegen", "Codex's own"],
    ["mine", undefined],
  ]);
  expect((await runCommand(sandbox, ["info", "imagegen"])).stdout).toMatch(/^Label +Codex's own$/m);
  expect((await runCommand(sandbox, ["info", "mine"])).stdout).not.toContain("Label");
  const { stdout } = await runCommand(sandbox, ["doctor"]);
  expect(stdout).toContain(`2 skills    ${sandbox.path("home/.codex/skills")} (codex, 1 Codex's own)`);
  expect(stdout).toContain(`${sandbox.path("home/.claude/skills")} (claude, 1 synced from claude.ai)`);
});
