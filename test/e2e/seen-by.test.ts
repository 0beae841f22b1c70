import { describe, expect, test } from "vitest";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

/** Two agents are installed, and one of the skills is that of one of them. */
function machine(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("home/.codex/config.toml", "");
  sandbox.skill("home/.claude/skills/pdf", { description: "Merges PDF files." });
  sandbox.skill("home/.kiro/skills/git", { description: "Writes commits." });
  sandbox.write("home/.claude.json", "{}");
  return sandbox;
}

describe("doctor --why", () => {
  test.each([
    [
      "pdf",
      "claude-code",
      "Claude Code reads pdf from disk, so skills-mcp does not list it again.\n  --include-native lists it all the same\n",
    ],
    ["claude:pdf", "codex", "Codex sees pdf with its whole description at turn 1.\n"],
    ["GIT", "cursor", "Cursor sees git with its whole description at turn 1.\n"],
  ])("says of %s in %s one sentence and what changes it", async (name, client, text) => {
    const { stdout, code } = await runCommand(machine(), ["doctor", "--why", name, "--client", client]);
    expect({ stdout, code }).toEqual({ stdout: text, code: 0 });
  });

  test("without a client it answers for the agents of this machine, those that see it alike together", async () => {
    const sandbox = machine();
    const { stdout } = await runCommand(sandbox, ["doctor", "--why", "pdf"]);
    expect(stdout).toContain("Claude Code reads pdf from disk");
    expect(stdout).toContain("Codex and Kiro see pdf with its whole description");
    sandbox.write("home/.skills-mcp/disabled.json", JSON.stringify({ agents: { codex: ["kiro:git"] } }));
    const { groups } = (await commandJson(sandbox, "doctor", "--why", "git", "--json")) as {
      readonly groups: readonly { readonly titles: readonly string[]; readonly seen: string }[];
    };
    expect(groups.map(({ titles, seen }) => `${titles.join()} ${seen}`)).toEqual([
      "Claude Code,Kiro whole",
      "Codex hidden",
    ]);
  });

  test("a name that nothing has is refused with suggestions, and a plugin that is off with its way out", async () => {
    const { stderr, code } = await runCommand(machine(), ["doctor", "--why", "gti"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("git");
  });

  test("the settings of the operator count as in a server", async () => {
    const sandbox = machine();
    sandbox.write("home/.skills-mcp/config.yaml", "server:\n  include_native: true\n");
    const { stdout } = await runCommand(sandbox, ["doctor", "--why", "pdf", "--client", "claude-code"]);
    expect(stdout).toBe("Claude Code sees pdf with its whole description at turn 1.\n");
  });
});

test("info names the agents of this machine and what each has of the skill", async () => {
  const sandbox = machine();
  const { stdout } = await runCommand(sandbox, ["info", "pdf"]);
  expect(stdout).toMatch(
    /^Seen by +Claude Code: read by the agent itself\n +Codex, Kiro: whole description$/m,
  );
  expect(await commandJson(sandbox, "info", "pdf", "--json")).toMatchObject({
    seenBy: [
      { titles: ["Claude Code"], seen: "native" },
      { titles: ["Codex", "Kiro"], seen: "whole" },
    ],
  });
});
