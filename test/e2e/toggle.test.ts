import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const SKILLS = "project/.claude/skills";

describe("enable and disable", () => {
  test("rename the file, and info still shows a disabled skill", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`);
    const [on, off] = [sandbox.path(SKILLS, "pdf/SKILL.md"), sandbox.path(SKILLS, "pdf/.SKILL.md")];
    const before = readFileSync(on, "utf8");
    expect(await runCommand(sandbox, ["disable", "PDF"])).toMatchObject({
      code: 0,
      stdout: `Disabled pdf: the file is now ${off}.\n`,
    });
    expect([existsSync(on), existsSync(off)]).toEqual([false, true]);
    expect(await commandJson(sandbox, "list", "--json")).toMatchObject({ skills: [] });
    expect((await runCommand(sandbox, ["list", "--disabled"])).stdout).toContain("pdf");
    expect(await runCommand(sandbox, ["info", "pdf"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^pdf \(disabled\)\n/) as string,
    });
    expect((await runCommand(sandbox, ["disable", "pdf"])).stdout).toContain("already disabled");
    expect(await runCommand(sandbox, ["enable", "pdf"])).toMatchObject({ code: 0 });
    expect(readFileSync(on, "utf8")).toBe(before);
    expect(await runCommand(sandbox, ["enable", "nope"])).toMatchObject({ code: 1 });
  });

  function withPluginTwin(): Sandbox {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`);
    sandbox.skill("home/.claude/plugins/cache/p/pdf");
    const plugins = { "p@m": { installPath: "cache/p" } };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 1, plugins }));
    return sandbox;
  }

  test("a second time the same name turns off no other skill, and its full name is told", async () => {
    const sandbox = withPluginTwin();
    const other = sandbox.path("home/.claude/plugins/cache/p/pdf");
    const told = `The name 'pdf' still loads p:pdf from ${other}. To disable it: skills-mcp disable p:pdf\n`;
    expect((await runCommand(sandbox, ["disable", "pdf"])).stdout).toBe(
      `Disabled pdf: the file is now ${sandbox.path(SKILLS, "pdf/.SKILL.md")}.\n${told}`,
    );
    expect(await runCommand(sandbox, ["disable", "pdf"])).toMatchObject({
      code: 0,
      stdout: `pdf is already disabled (${sandbox.path(SKILLS, "pdf/.SKILL.md")}).\n${told}`,
    });
    expect(await commandJson(sandbox, "disable", "pdf", "--json")).toMatchObject({
      changed: false,
      others: [{ name: "p:pdf", path: other }],
    });
    expect(await commandJson(sandbox, "list", "--json")).toMatchObject({ skills: [{ name: "p:pdf" }] });
  });

  test("nor does it turn on another one", async () => {
    const sandbox = withPluginTwin();
    await runCommand(sandbox, ["disable", "pdf"]);
    await runCommand(sandbox, ["disable", "p:pdf"]);
    expect((await runCommand(sandbox, ["enable", "pdf"])).stdout).toMatch(/^Enabled pdf: .+\n$/);
    const other = sandbox.path("home/.claude/plugins/cache/p/pdf");
    expect(await runCommand(sandbox, ["enable", "pdf"])).toMatchObject({
      code: 0,
      stdout:
        `pdf is already enabled (${sandbox.path(SKILLS, "pdf/SKILL.md")}).\n` +
        `p:pdf in ${other} is still disabled. To enable it: skills-mcp enable p:pdf\n`,
    });
    expect((await runCommand(sandbox, ["enable", "p:pdf"])).stdout).toMatch(/^Enabled p:pdf: .+\n$/);
  });

  test("a copy that takes over is named, and the same name turns it off too", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.codex/skills/deploy");
    sandbox.skill("home/.codex/skills/deploy");
    const copy = sandbox.path("home/.codex/skills/deploy");
    expect((await runCommand(sandbox, ["disable", "codex:deploy"])).stdout).toContain(
      `The name 'codex:deploy' still loads codex:deploy from ${copy}.`,
    );
    expect((await runCommand(sandbox, ["disable", "codex:deploy"])).stdout).toMatch(
      new RegExp(`^Disabled deploy: the file is now ${copy}/.SKILL.md\\.\\n$`),
    );
    expect((await runCommand(sandbox, ["disable", "codex:deploy"])).stdout).toContain("already disabled");
    expect((await runCommand(sandbox, ["list"])).stdout).toContain("No skills found");
  });

  test("nothing is overwritten when both files are there", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/pdf`);
    sandbox.write(`${SKILLS}/pdf/.SKILL.md`, "precious");
    const { code, stderr } = await runCommand(sandbox, ["disable", "pdf"]);
    expect(code).toBe(1);
    expect(stderr).toContain("a file of that name already exists");
    expect(readFileSync(sandbox.path(SKILLS, "pdf/.SKILL.md"), "utf8")).toBe("precious");
  });
});
