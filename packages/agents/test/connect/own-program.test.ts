import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { VERSION } from "#util";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { ownProgram } from "../../src/connect/own-program.ts";

const NPX = "home/.npm/_npx/0a1b/node_modules/skills-mcp";

function packageIn(sandbox: Sandbox, folder: string, text = "// start\n"): string {
  sandbox.write(`${folder}/package.json`, "{}");
  sandbox.write(`${folder}/node_modules/a/index.js`, "");
  chmodSync(sandbox.write(`${folder}/dist/cli.js`, text), 0o755);
  return sandbox.path(folder);
}

describe.skipIf(process.platform === "win32")("what starts the program on a terminal", () => {
  const link = (sandbox: Sandbox, folder: string, target: string): string => {
    mkdirSync(sandbox.path(folder), { recursive: true });
    symlinkSync(target, sandbox.path(folder, "skills-mcp"));
    return sandbox.path(folder);
  };

  test.each([
    ["is its name where that is this program", (own: string) => [own], "skills-mcp"],
    ["is its path where another one comes first", (own: string, other: string) => [other, own], undefined],
    ["is its name where another one comes last", (own: string, other: string) => [own, other], "skills-mcp"],
    ["is its path without one", () => [], undefined],
  ])("%s", (_what, folders, expected) => {
    const sandbox = createSandbox();
    const folder = packageIn(sandbox, "my tools");
    const own = link(sandbox, "bin", path.join(folder, "dist/cli.js"));
    const other = link(sandbox, "other", path.join(packageIn(sandbox, "elsewhere"), "dist/cli.js"));
    // npm adds such a folder while it runs.
    const passing = link(sandbox, "node_modules/.bin", path.join(folder, "dist/cli.js"));
    sandbox.write("folders/skills-mcp/x", "");
    vi.stubEnv(
      "PATH",
      [passing, "relative", sandbox.path("folders"), ...folders(own, other)].join(path.delimiter),
    );
    const { shown, command } = ownProgram(folder);
    vi.unstubAllEnvs();
    expect(shown).toBe(expected ?? `node '${path.join(folder, "dist/cli.js")}'`);
    expect(command[1]).toBe(path.join(folder, "dist/cli.js"));
    expect(path.isAbsolute(command[0] ?? "")).toBe(true);
  });
});

describe("what a configuration names", () => {
  test("is the program where it is, if it stays there", () => {
    const sandbox = createSandbox();
    const { program, copy } = ownProgram(packageIn(sandbox, "clone")).kept(sandbox.path("own"));
    expect([program.script, copy]).toEqual([sandbox.path("clone/dist/cli.js"), undefined]);
  });

  test("is a copy of one in a cache of npx, which is made once and replaced by another build", async () => {
    const sandbox = createSandbox();
    const own = sandbox.path("home/.skills-mcp");
    const folder = packageIn(sandbox, NPX);
    const { program, copy } = ownProgram(folder).kept(own);
    expect(program.script).toBe(path.join(own, "bin", VERSION, "dist/cli.js"));
    expect(existsSync(own)).toBe(false);
    expect(await copy?.make()).toBe(true);
    expect(readdirSync(path.join(own, "bin", VERSION)).sort()).toEqual(["dist", "package.json"]);
    expect(await copy?.make()).toBe(false);
    packageIn(sandbox, NPX, "// another build\n");
    expect(await copy?.make()).toBe(true);
    expect(readdirSync(path.join(own, "bin"))).toEqual([VERSION]);
  });

  test("names the folder and the reason where the copy cannot be made", async () => {
    const sandbox = createSandbox();
    sandbox.write("home/.skills-mcp", "a file");
    const { copy } = ownProgram(packageIn(sandbox, NPX)).kept(sandbox.path("home/.skills-mcp"));
    await expect(copy?.make()).rejects.toMatchObject({
      detail: { code: "cannot-connect" },
      message: expect.stringContaining(path.join(".skills-mcp", "bin", VERSION)) as string,
    });
  });
});
