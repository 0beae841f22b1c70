import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../support/sandbox.ts";

const hasBubblewrap =
  spawnSync("bwrap", ["--bind", "/", "/", "true"], { stdio: "ignore", timeout: 10_000 }).status === 0;

/** Runs a command in a project that can be written, with a home folder that cannot. */
function runWithReadOnlyHome(sandbox: Sandbox, args: readonly string[]) {
  const { home, project } = sandbox;
  const isolated = ["--bind", "/", "/", "--dev", "/dev", "--ro-bind", home, home, "--chdir", project];
  const { status, stdout, stderr } = spawnSync("bwrap", [...isolated, NODE, BIN, ...args], {
    env: environmentOf(sandbox),
    encoding: "utf8",
    timeout: 45_000,
  });
  return { code: status, stdout, stderr };
}

test.skipIf(!hasBubblewrap)(
  "a read-only home folder: connect names the folder, the reason and the way out",
  () => {
    for (const scope of ["user", "project"]) {
      const sandbox = createSandbox(DISK_FOLDER);
      const args = ["connect", "claude-code", "--scope", scope, "--yes"];
      const { code, stdout, stderr } = runWithReadOnlyHome(sandbox, args);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain(
        `Claude Code: ${sandbox.path("home/.skills-mcp")} cannot be made: the file system is read-only.`,
      );
      expect(stdout + stderr).toContain("--user-dir <dir>");
      expect(existsSync(sandbox.path("project/.mcp.json"))).toBe(false);
    }
  },
);

test.skipIf(!hasBubblewrap)("a read-only home folder: add names it, and works with another one", () => {
  const sandbox = createSandbox(DISK_FOLDER);
  sandbox.skill("source/pdf");
  const add = ["add", sandbox.path("source"), "--all"];
  const refused = runWithReadOnlyHome(sandbox, add);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `skills-mcp: ${sandbox.path("home/.skills-mcp")} cannot be made: the file system is read-only. `,
    ) as string,
  });
  expect(refused.stderr).toContain(
    `make ${sandbox.home} writable, or name another home folder with --user-dir`,
  );
  const added = runWithReadOnlyHome(sandbox, [...add, "--user-dir", sandbox.path("other-home")]);
  expect(added).toMatchObject({ code: 0 });
  expect(existsSync(sandbox.path("project/.agents/skills/pdf/SKILL.md"))).toBe(true);
});
