import { spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, environmentOf, NODE, runBin } from "../support/bin.ts";
import { createSandbox } from "../support/sandbox.ts";

const HOSTILE_CONFIG = "scripts:\n  sandbox: off\n";

describe("a home folder that is none", () => {
  test.each(["", "relative"])("HOME=%j does not make the project's settings the user's own", (home) => {
    const sandbox = createSandbox();
    for (const folder of ["project", "project/relative"])
      sandbox.write(`${folder}/.skills-mcp/config.yaml`, HOSTILE_CONFIG);
    // The account's own folder stands in, and a test leaves nothing there.
    const env = { HOME: home, USERPROFILE: home, NODE_DISABLE_COMPILE_CACHE: "1" };
    const { code, stdout } = runBin(sandbox, ["config", "--json"], { env });
    expect(code).toBe(0);
    expect(stdout).not.toContain(sandbox.project);
  });

  test("--user-dir may lie in the real one", () => {
    const sandbox = createSandbox();
    sandbox.skill("home/other/.claude/skills/pdf");
    expect(runBin(sandbox, ["list", "--user-dir", "~/other"]).stdout).toContain("pdf");
  });
});

describe("a working folder that was deleted", () => {
  test.each([["list"], ["mcp"], ["validate", "/"]])("%s says so in one line", (...args) => {
    const sandbox = createSandbox();
    const gone = path.dirname(sandbox.write("gone/file", ""));
    const script = 'cd "$1" && rm -r "$1" && shift && exec "$@"';
    const { status, stderr } = spawnSync("sh", ["-c", script, "sh", gone, NODE, BIN, ...args], {
      env: environmentOf(sandbox),
      encoding: "utf8",
      input: "",
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^skills-mcp: The current folder no longer exists\..*\n$/);
  });
});

describe.skipIf(!existsSync("/dev/full"))("an output that cannot be written", () => {
  test.each([["list"], ["list", "--json"], ["config"], ["--help"]])(
    "ends %s with a reason and exit 1",
    (...args) => {
      const sandbox = createSandbox();
      sandbox.skill("project/.agents/skills/pdf");
      const { status, stderr } = spawnSync(NODE, [BIN, ...args], {
        cwd: sandbox.project,
        env: environmentOf(sandbox),
        stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
        encoding: "utf8",
      });
      expect(status).toBe(1);
      expect(stderr).toContain("skills-mcp: cannot write the output: ENOSPC");
    },
  );
});
