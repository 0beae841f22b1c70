import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runBin } from "../support/bin.ts";
import { commandJson, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const SETTINGS = '{\n\t// Mine\n\t"theme": "dark",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n';
const FORMS =
  "Fills in PDF forms: fields, check boxes and signatures of a form. Use when a PDF form must be completed.";
const PROMPT = "complete the fields of this pdf form with signatures";

/** A machine with Claude Code, and skills where it does not look itself. */
function machine(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("home/.claude/settings.json", SETTINGS);
  sandbox.skill("home/.kiro/skills/pdf-forms", { description: FORMS });
  sandbox.skill("home/.kiro/skills/flaky-tests", { description: "Finds out why a test fails now and then." });
  sandbox.skill("home/.kiro/skills/chart-style", {
    description: "Draws charts that follow the style guide.",
  });
  return sandbox;
}

function prompt(sandbox: Sandbox, text = PROMPT, { client = "claude-code", cwd = sandbox.project } = {}) {
  const event = { prompt: text, cwd, hook_event_name: "UserPromptSubmit", session_id: "s" };
  const { code, stdout, stderr } = runBin(sandbox, ["hook", "run", client], { input: JSON.stringify(event) });
  expect([code, stderr]).toEqual([0, ""]);
  if (stdout === "") return "";
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  return answer.hookSpecificOutput.additionalContext;
}

/** It writes where its own program is, so that only the built one can be installed. */
const install = (sandbox: Sandbox, ...args: string[]) => runBin(sandbox, ["hook", "install", ...args]);

/** What a prompt needs of `install`, and what `hook run` starts when that is old. */
const writeHints = (sandbox: Sandbox, client = "claude-code") =>
  runCommand(sandbox, ["hook", "refresh", client]);

const hintFiles = (sandbox: Sandbox): readonly string[] => {
  const folder = path.join(sandbox.home, ".skills-mcp", "cache");
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^hints-.*\.idx$/.test(name)) : [];
};

const SUGGESTION = "The skill `pdf-forms` fits this task: load it with the skill tool (mcp__skills__skill).";

describe("hook", () => {
  test("installs, shows and removes, and leaves every byte as it was", async () => {
    const sandbox = machine();
    const file = path.join(sandbox.home, ".claude/settings.json");
    const state = async () => {
      const { hooks } = (await commandJson(sandbox, "hook", "status", "--json")) as {
        hooks: { id: string; state: string }[];
      };
      return hooks.find(({ id }) => id === "claude-code")?.state;
    };
    expect(await state()).toBe("not installed");
    expect(install(sandbox, "claude", "--dry-run").stdout).toContain("+");
    expect(readFileSync(file, "utf8")).toBe(SETTINGS);

    const installed = install(sandbox, "claude");
    expect(installed.code).toBe(0);
    expect(installed.stdout).toContain("Installed the hook: Claude Code.");
    expect(installed.stdout).toContain("Claude Code has no server yet: skills-mcp connect claude-code");
    expect(await state()).toBe("installed");
    expect(install(sandbox, "claude").stdout).toContain("The hook is installed already.");

    const remove = (...args: string[]) => runCommand(sandbox, ["hook", "remove", ...args]);
    expect((await remove()).code).toBe(2);
    expect((await remove("--yes")).stdout).toContain("Removed the hook: Claude Code.");
    expect(readFileSync(file, "utf8")).toBe(SETTINGS);
    expect((await remove("--yes")).stdout).toBe("No agent has the hook.\n");
  });

  test("makes files for agents that share one, and removes them again", async () => {
    const sandbox = machine();
    const file = path.join(sandbox.home, ".copilot/hooks/skills-mcp.json");
    const both = ["copilot-cli", "vscode"];
    expect(install(sandbox, ...both).code).toBe(0);
    const written = JSON.parse(readFileSync(file, "utf8")) as { hooks: { userPromptSubmitted: object[] } };
    expect(written).toMatchObject({ version: 1 });
    expect(written.hooks.userPromptSubmitted).toHaveLength(1);
    expect((await runCommand(sandbox, ["hook", "remove", ...both])).code).toBe(0);
    expect(existsSync(path.join(sandbox.home, ".copilot"))).toBe(false);
  });

  test("says what it cannot do", async () => {
    const sandbox = machine();
    const said = (...args: string[]) => runCommand(sandbox, ["hook", ...args]);
    expect((await said()).stderr).toBe(
      "skills-mcp: hook takes install, remove or status: skills-mcp hook install.\n",
    );
    expect((await said("install", "zed")).stderr).toContain(
      "Zed has no hook that can tell its model something.",
    );
    expect((await said("install", "nope")).stderr).toContain("Unknown agent 'nope'.");
    expect(await said("install", "nobody")).toMatchObject({ code: 2 });
    sandbox.write("home/.codex/hooks.json", "{ not json");
    const refused = await said("install", "codex");
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("The file is not valid JSON");
  });

  test("suggests what fits, by the name that loads it, and nothing else", async () => {
    const sandbox = machine();
    sandbox.skill("project/.claude/skills/press-kit", {
      description: "Prepares a press kit with logos and photos.",
    });
    install(sandbox, "claude");
    expect(prompt(sandbox)).toBe(SUGGESTION);
    // Claude Code reads this one by itself.
    expect(prompt(sandbox, "prepare a press kit with photos and logos")).toBe(
      "The skill `press-kit` fits this task: load it with the Skill tool.",
    );
    for (const text of ["thanks, that looks good", "what is the capital of France?", "/compact"]) {
      expect(prompt(sandbox, text)).toBe("");
    }
  });

  test("never fails a prompt", async () => {
    const sandbox = machine();
    await writeHints(sandbox);
    const [hints = ""] = hintFiles(sandbox);
    const run = (input: string, ...args: string[]) => runBin(sandbox, ["hook", "run", ...args], { input });
    const silent = { code: 0, stdout: "", stderr: "" };
    for (const input of ["", "{", `{"prompt": "${"a ".repeat(500_000)}"}`]) {
      expect(run(input, "claude-code")).toEqual(silent);
    }
    expect(run(JSON.stringify({ prompt: PROMPT }), "nobody")).toEqual(silent);
    expect(run(JSON.stringify({ prompt: PROMPT, cwd: "/does/not/exist" }), "claude-code")).toEqual(silent);
    writeFileSync(path.join(sandbox.home, ".skills-mcp/cache", hints), "garbage");
    expect(prompt(sandbox)).toBe("");
  });

  test("respects what authors and users keep from models", async () => {
    const sandbox = machine();
    await writeHints(sandbox);
    const skill = "home/.kiro/skills/pdf-forms/SKILL.md";
    sandbox.write(
      skill,
      skillText("pdf-forms", FORMS).replace("---\n\n", "disable-model-invocation: true\n---\n\n"),
    );
    // At once, though the index is older than the change.
    expect(prompt(sandbox)).toBe("");
    await writeHints(sandbox);
    expect(prompt(sandbox)).toBe("");

    sandbox.write(skill, skillText("pdf-forms", FORMS));
    await writeHints(sandbox);
    expect(prompt(sandbox)).toBe(SUGGESTION);
    await runCommand(sandbox, ["disable", "pdf-forms", "--agent", "claude-code"]);
    expect(prompt(sandbox)).toBe("");
    await writeHints(sandbox);
    expect(prompt(sandbox)).toBe("");
    await writeHints(sandbox, "codex");
    expect(prompt(sandbox, PROMPT, { client: "codex" })).toBe(SUGGESTION);
    sandbox.write("project/.skills-mcp.yaml", "skills:\n  exclude: [pdf-forms]\n");
    expect(prompt(sandbox, PROMPT, { client: "codex" })).toBe("");
  });

  test("knows a new folder at once as far as it is the same everywhere, and the rest with the next prompt", async () => {
    const sandbox = machine();
    sandbox.skill("project/.kiro/skills/release-notes", {
      description: "Writes release notes from the git log.",
    });
    await writeHints(sandbox);
    const other = sandbox.path("other");
    sandbox.skill("other/.kiro/skills/meeting-minutes", {
      description: "Turns a transcript into meeting minutes.",
    });
    expect(prompt(sandbox, "write release notes from the git log")).toContain("release-notes");
    expect(prompt(sandbox, PROMPT, { cwd: other })).toBe(SUGGESTION);
    expect(prompt(sandbox, "write release notes from the git log", { cwd: other })).toBe("");
    await waitUntil("hints for the other folder", () => hintFiles(sandbox).length === 2);
    const minutes = "turn this transcript into meeting minutes";
    await waitUntil("a suggestion", () =>
      prompt(sandbox, minutes, { cwd: other }).includes("meeting-minutes"),
    );
    symlinkSync(other, sandbox.path("link"));
    expect(prompt(sandbox, minutes, { cwd: sandbox.path("link") })).toContain("meeting-minutes");
  });

  test("records what it suggests, and not the prompt, unless the history is off", async () => {
    const sandbox = machine();
    await writeHints(sandbox);
    prompt(sandbox);
    const folder = path.join(sandbox.home, ".skills-mcp/usage");
    const file = path.join(folder, readdirSync(folder)[0] ?? "");
    const [line = ""] = readFileSync(file, "utf8").split("\n");
    expect(JSON.parse(line)).toMatchObject({
      type: "skill_suggested",
      data: { skill_path: "pdf-forms", client: "claude-code", native: false },
    });
    expect(line).not.toContain("signatures");
    expect((await runCommand(sandbox, ["stats"])).stdout).toMatch(
      /SUGGESTED +COUNT +LOADED +IGNORED\npdf-forms +1 +0 +1\n/,
    );
    sandbox.write("home/.skills-mcp/config.yaml", "analytics:\n  history: false\n");
    await writeHints(sandbox);
    expect(prompt(sandbox)).toBe(SUGGESTION);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
  });

  test("status says when the program has gone", async () => {
    const sandbox = machine();
    install(sandbox, "claude");
    const file = path.join(sandbox.home, ".claude/settings.json");
    writeFileSync(file, readFileSync(file, "utf8").replace(/[^"\\ ]+\/dist\/cli\.js/, "/gone/dist/cli.js"));
    const { code, stdout } = await runCommand(sandbox, ["hook", "status"]);
    expect(code).toBe(1);
    expect(stdout).toContain("'/gone/dist/cli.js' no longer exists: run skills-mcp hook install again.");
  });
});
