import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox } from "../support/sandbox.ts";

const LIBRARY_FILE = "---\nkeywords: [login]\ndescription: How people log in\n---\nText.\n";

describe("skills-mcp doctor", () => {
  test("says what was found where, and that nothing is wrong", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    sandbox.write("project/library/login.md", LIBRARY_FILE);
    const { code, stdout } = await runCommand(sandbox, ["doctor", "--library", "library"]);
    expect(stdout).toContain("1 skill, 1 library skill\n");
    expect(stdout).toContain(`1 skill     ${sandbox.path("project/.claude/skills")} (claude)`);
    expect(stdout).toContain(`1 skill     ${sandbox.path("project/library")} (library)`);
    expect(stdout).toMatch(/^Scripts: run (?:in a sandbox|without a sandbox: )/m);
    const isSandboxed = stdout.includes("run in a sandbox");
    expect(stdout).toContain(isSandboxed ? "No problems found." : "read the warnings above");
    expect(code).toBe(0);
  });

  test("lists shadowed skills, and what cannot be read, and exits 1", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    sandbox.skill("home/.claude/skills/pdf");
    sandbox.write("project/.claude/skills/broken/SKILL.md", "# no front matter\n");
    const { code, stdout } = await runCommand(sandbox, ["doctor"]);
    expect(stdout).toContain(
      `instead of yours in ${sandbox.path("home/.claude/skills/pdf")}, which is shadowed`,
    );
    expect(stdout).not.toContain("Shadowed by");
    expect(stdout).toContain(`Errors:\n  skipped: ${sandbox.path("project/.claude/skills/broken/SKILL.md")}`);
    expect(code).toBe(1);
  });

  test("fits a screen with many problems, and shows all of them with --all and --json", async () => {
    const sandbox = createSandbox();
    for (let index = 0; index < 60; index++) {
      sandbox.write(`project/.claude/skills/broken-${index}/SKILL.md`, "no front matter");
      sandbox.skill(`project/.claude/skills/skill-${index}`);
      sandbox.skill(`home/.claude/skills/skill-${index}`);
    }
    const { code, stdout } = await runCommand(sandbox, ["doctor"]);
    const lines = stdout.split("\n");
    expect([code, lines.length < 45, lines.every((line) => line.length < 250)]).toEqual([1, true, true]);
    expect(stdout).toMatch(/\n {2}… and \d+ more\n/);
    expect(stdout).toContain("skills-mcp doctor --all shows everything");
    const all = await runCommand(sandbox, ["doctor", "--all"]);
    expect(all.code).toBe(1);
    expect(all.stdout.match(/skipped: /g)).toHaveLength(60);
    expect(all.stdout.match(/which is shadowed/g)).toHaveLength(60);
    expect(await commandJson(sandbox, "doctor", "--json")).toMatchObject({ shadowed: { length: 60 } });
  });

  test("lists a skill of another root that is shadowed", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    sandbox.skill("project/.claude/skills/more/pdf");
    const { stdout } = await runCommand(sandbox, ["doctor"]);
    expect(stdout).toMatch(/^Shadowed by a skill of the same name:\n {2}pdf: \S+ \(shadowed by \S+\)$/m);
  });

  test("does not say that nothing is wrong below a warning", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    sandbox.skill("home/.claude/skills/pdf");
    const { code, stdout } = await runCommand(sandbox, ["doctor"]);
    expect(stdout).toMatch(/Warnings:\n.*instead of yours/);
    expect(stdout).toContain("Nothing is broken, but read the warnings above.");
    expect(stdout).not.toContain("No problems found.");
    expect(code).toBe(0);
  });

  test("says how a blocked skill is served, which approving does not do", async () => {
    const sandbox = createSandbox();
    sandbox.skill("vendor/pdf");
    sandbox.write("home/.skills-mcp/trust.yaml", `block:\n  - ${sandbox.path("vendor")}\n`);
    const { stdout } = await runCommand(sandbox, ["doctor", "--skill-dir", sandbox.path("vendor")]);
    expect(stdout).toMatch(/^Blocked; to serve them, move their rule .*:\n {2}pdf: blocked, not served/m);
    expect(stdout).not.toContain("Held back");
  });

  test("names the folders of plugins too", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/plugins/cache/p/pdf");
    const dir = sandbox.path("home/.claude/plugins/cache/p");
    const plugins = { "p@m": { installPath: "cache/p" } };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 1, plugins }));
    expect((await runCommand(sandbox, ["doctor"])).stdout).toContain(`1 skill     ${dir} (plugin p@m)\n`);
    const { roots } = JSON.parse((await runCommand(sandbox, ["doctor", "--json"])).stdout) as {
      roots: unknown[];
    };
    expect(roots.at(-1)).toEqual({
      dir,
      provider: "claude",
      location: "plugin",
      plugin: "p@m",
      exists: true,
      skills: 1,
    });
  });

  test("in the home folder, where a project's folders are the user's, each is told once, with its errors", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/skills/pdf");
    const bad = sandbox.write("home/.claude/skills/bad/SKILL.md", "# no front matter\n");
    const linked = sandbox.path("home-by-link");
    symlinkSync(sandbox.home, linked);
    for (const env of [{}, { HOME: linked }]) {
      const at = { cwd: sandbox.home, env };
      const { stdout } = await runCommand(sandbox, ["doctor"], at);
      expect(stdout.split(/\.claude\/skills \(claude\)/)).toHaveLength(2);
      expect(stdout.split("skipped: ")).toHaveLength(2);
      expect((await runCommand(sandbox, ["list"], at)).stderr.split("skipped: ")).toHaveLength(2);
      const listed: unknown = JSON.parse((await runCommand(sandbox, ["list", "--json"], at)).stdout);
      expect(listed).toMatchObject({ skills: [{ name: "pdf" }], diagnostics: [{ file: bad }] });
      expect(listed).toHaveProperty("diagnostics.length", 1);
    }
    expect((await runCommand(sandbox, ["info", "pdf"], { cwd: sandbox.home })).stdout).not.toContain(
      "Also at",
    );
  });

  test("--json gives the same to scripts", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const { stdout } = await runCommand(sandbox, ["doctor", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      skills: 1,
      librarySkills: 0,
      shadowed: [],
      diagnostics: [],
      git: [],
      sandbox: { kind: expect.any(String) as unknown },
    });
  });

  test("a repository that cannot be reached is named with the reason, and exits 1", async () => {
    const sandbox = createSandbox();
    const url = `file://${sandbox.path("gone")}`;
    const { code, stdout } = await runCommand(sandbox, ["doctor"], { env: { SKILLS_REPO: url } });
    expect(stdout).toContain(`failing  gone (${url}, main): not fetched yet`);
    expect(stdout).toContain("was not found");
    expect(code).toBe(1);
  });

  test("scripts that are turned off are said to be", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp/config.yaml", "scripts:\n  enabled: false\n");
    expect((await runCommand(sandbox, ["doctor"])).stdout).toContain("Scripts: disabled");
  });
});
