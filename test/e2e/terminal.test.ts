import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
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

/** Types into a terminal with the command once it has printed `prompt`; the last line of the answer is the exit code. */
function typeOnTerminal(sandbox: Sandbox, args: readonly string[], prompt: string, typed: string): string {
  const command = [NODE, BIN, ...args].map((word) => `'${word}'`).join(" ");
  const script = [
    "import os, pty, sys",
    "prompt, typed, command = sys.argv[1].encode(), sys.argv[2].encode(), sys.argv[3]",
    "pid, fd = pty.fork()",
    'if pid == 0: os.execvp("/bin/sh", ["sh", "-c", command])',
    "seen = b''",
    "while True:",
    "  try: data = os.read(fd, 4096)",
    "  except OSError: break",
    "  if not data: break",
    "  seen += data",
    "  if typed and prompt in seen:",
    "    os.write(fd, typed)",
    "    typed = b''",
    "code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])",
    "sys.stdout.buffer.write(seen + b'\\nexit %d' % code)",
  ].join("\n");
  const { stdout } = spawnSync("python3", ["-c", script, prompt, typed, `exec ${command}`], {
    cwd: sandbox.project,
    env: { ...environmentOf(sandbox), TERM: "xterm", NO_COLOR: "1" },
    encoding: "utf8",
    timeout: 45_000,
  });
  return stdout.replaceAll("\r", "");
}

const hasPython = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;
const CTRL_C = "\u0003";

describe.runIf(process.platform === "linux" && hasPython)("on a terminal", () => {
  test("Ctrl+C at a question changes nothing, starts a new line, and is exit code 130", () => {
    const sandbox = createSandbox();
    sandbox.write("home/.claude/x", "");
    const text = typeOnTerminal(sandbox, ["connect"], "[y/N] ", CTRL_C);
    expect(text).toMatch(/\? \[y\/N\] [^\n]*\nskills-mcp: Stopped with Ctrl\+C\.\n\nexit 130$/);
    expect(existsSync(sandbox.path("home/.claude.json"))).toBe(false);
  });

  test("mcp says what it waits for, and Ctrl+C ends it", () => {
    const text = typeOnTerminal(createSandbox(), ["mcp"], "ready: 0 skills", CTRL_C);
    expect(text).toContain("Waiting for an MCP client on standard input; Ctrl+C to stop.");
    expect(text).toMatch(/exit 0$/);
  });
});

test.runIf(process.platform === "linux")("connect --list keeps its columns at 40 columns", () => {
  const sandbox = createSandbox();
  sandbox.write("home/.claude/x", "");
  const command = ["stty cols 40;", NODE, BIN, "connect", "--list"].join(" ");
  const { stdout } = spawnSync("script", ["-qec", command, "/dev/null"], {
    cwd: sandbox.project,
    env: { ...environmentOf(sandbox), TERM: "xterm", NO_COLOR: "1" },
    encoding: "utf8",
    input: "",
  });
  const lines = stdout.replaceAll("\r", "").trimEnd().split("\n");
  expect(lines[0]).toMatch(/^CLIENT +ID +STATE$/);
  expect(lines[1]).toMatch(/^Claude Code +claude-code +not connected$/);
  expect(lines.join(" ")).toMatch(
    / \d+ more agents can be connected once installed\. .* connect --list --all$/,
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
});
