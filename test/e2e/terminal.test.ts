import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { BIN, environmentOf, json, NODE, runBin } from "../support/bin.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** `script` of util-linux gives the command a terminal, as a person has one. */
function onTerminal(sandbox: Sandbox, ...args: string[]): string {
  return answering("", sandbox, ...args);
}

/** With what the person types. */
function answering(input: string, sandbox: Sandbox, ...args: string[]): string {
  const { stdout } = spawnSync("script", ["-qec", [NODE, BIN, ...args].join(" "), "/dev/null"], {
    cwd: sandbox.project,
    env: { ...environmentOf(sandbox), TERM: "xterm", NO_COLOR: "1" },
    encoding: "utf8",
    input,
  });
  return stdout.replaceAll("\r", "");
}

test.runIf(process.platform === "linux")(
  "alone on a terminal, the command shows the state and the next steps",
  () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/skills/pdf");
    sandbox.write("home/.claude/skills/broken/SKILL.md", "no front matter");
    const text = onTerminal(sandbox);
    expect(text).toContain("1 (1 in ~/.claude/skills)");
    expect(text).toContain("1 error");
    expect(text).toContain("not connected: Claude Code");
    expect(text).toMatch(/Next\n {2}\S.* doctor /);
    expect(text).toContain("Usage: skills-mcp [command] [flags]");
  },
);

test.runIf(process.platform === "linux")(
  "publish shows the skills with their folders, and writes nothing unless the answer is yes",
  () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.agents/skills/pdf");
    const declined = answering("n\n", sandbox, "publish", "--dir", "site");
    expect(declined).toMatch(/^pdf +1 file +\S+ B +\.agents\/skills\/pdf +local$/m);
    expect(declined).toMatch(/Publish 1 skill in site\? .*\[y\/N\] .*\nNothing was published\.\n$/s);
    expect(existsSync(sandbox.path("project/site"))).toBe(false);
    expect(answering("y\n", sandbox, "publish", "--dir", "site")).toContain("Published 1 skill");
  },
);

test("status prints the same as JSON", () => {
  const sandbox = createSandbox();
  sandbox.skill("home/.claude/skills/pdf");
  expect(json(sandbox, "status", "--json")).toMatchObject({
    skills: 1,
    sources: [{ name: "~/.claude/skills", skills: 1 }],
    errors: 0,
    clients: { connected: [] },
  });
});

test("list --tree groups the skills by provider and place", () => {
  const sandbox = createSandbox();
  sandbox.skill("home/.claude/skills/pdf");
  sandbox.skill("project/.codex/skills/csv");
  const { code, stdout } = runBin(sandbox, ["list", "--tree"]);
  expect(code).toBe(0);
  expect(stdout).toBe(`codex
└─ .codex/skills (1)
   └─ csv  Does csv things.
claude
└─ ~/.claude/skills (1)
   └─ pdf  Does pdf things.
`);
});
