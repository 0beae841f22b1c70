import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { NODE } from "../support/bin.ts";
import { runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";

const EXPENSES = "Checks expense reports. Use when someone asks how to claim travel costs.";
const PROMPTS = [
  { query: "how do I claim the costs of my travel?", should_trigger: true },
  { query: "start the zyxilo run of quokka", should_trigger: true },
  { query: "write an invoice for a customer", should_trigger: false },
];

/** A repository of skills, with prompts. */
function repository(): Sandbox {
  const sandbox = createSandbox();
  const skill = (name: string, description: string, evals?: unknown) => {
    sandbox.write(`project/skills/${name}/SKILL.md`, skillText(name, description));
    if (evals !== undefined) sandbox.write(`project/skills/${name}/evals/evals.json`, JSON.stringify(evals));
  };
  skill("expense-reports", EXPENSES, PROMPTS);
  skill("invoices", "Writes invoices for customers, with tax.", {
    should_trigger: ["write an invoice with tax"],
    should_not_trigger: ["claim travel costs"],
  });
  skill("chart-style", "Draws charts that follow the style guide of the house.");
  return sandbox;
}

const run = async (sandbox: Sandbox, ...args: string[]) => await runCommand(sandbox, ["eval", ...args]);

function git(sandbox: Sandbox, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: sandbox.project,
    encoding: "utf8",
  });
  expect([status, stderr.includes("fatal")]).toEqual([0, false]);
}

interface Printed {
  readonly passed: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly skills: readonly {
    readonly name: string;
    readonly results: readonly {
      readonly prompt: string;
      readonly rank: number | null;
      readonly passed: boolean;
    }[];
  }[];
  readonly withoutPrompts: readonly string[];
  readonly diff?: {
    readonly better: readonly { readonly prompt: string }[];
    readonly worse: readonly unknown[];
  };
}

const printed = async (sandbox: Sandbox, ...args: string[]) =>
  JSON.parse((await run(sandbox, ...args, "--json")).stdout) as Printed;

describe("eval", () => {
  test("says which prompts find their skill, and which do not", async () => {
    const sandbox = repository();
    const { totals, skills, withoutPrompts } = await printed(sandbox);
    expect(totals).toMatchObject({ prompts: 3, negatives: 2, negativesPassed: 2, rank1: 2 });
    expect(withoutPrompts).toEqual(["chart-style"]);
    const lost = skills.flatMap(({ results }) => results.filter(({ passed }) => !passed));
    expect(lost.map(({ prompt }) => prompt)).toEqual(["start the zyxilo run of quokka"]);

    const { stdout, code } = await run(sandbox, "skills");
    expect(code).toBe(0);
    expect(stdout).toMatch(/SKILL +PROMPTS +RANK 1 +TOP 5 +ABOVE FLOOR +NEGATIVE\nexpense-reports +2 +1 /);
    expect(stdout).toContain("Each prompt was left out of the index while it was ranked.");
    expect(stdout).toContain("“start the zyxilo run of quokka”");
    expect(stdout).toMatch(
      /Descriptions that say too little\n +expense-reports: .*its prompts also say .*zyxilo/,
    );
    expect(stdout).toContain("1 skill without prompts: chart-style");
  });

  test("exits with 1 below a threshold, and shows GitHub the file", async () => {
    const sandbox = repository();
    expect((await run(sandbox, "--threshold", "80")).code).toBe(0);
    const failed = await run(sandbox, "--threshold", "90", "--format", "github");
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain(
      "::error file=skills/expense-reports/SKILL.md,title=expense-reports::“start the",
    );
    expect((await run(sandbox, "--threshold-top5", "90")).code).toBe(1);
    expect((await run(sandbox, "--threshold", "90", "--skill", "invoices")).code).toBe(0);
  });

  test("shows what a changed description does, and touches nothing of the repository", async () => {
    const sandbox = repository();
    git(sandbox, "init", "-q");
    git(sandbox, "add", "-A");
    git(sandbox, "commit", "-qm", "one");
    const better = EXPENSES.replace("asks", "starts a Zyxilo run of Quokka, or asks");
    sandbox.write("project/skills/expense-reports/SKILL.md", skillText("expense-reports", better));
    const { diff, totals } = await printed(sandbox, "--diff", "HEAD");
    expect(diff?.better.map(({ prompt }) => prompt)).toEqual(["start the zyxilo run of quokka"]);
    expect([diff?.worse, totals["rank1"]]).toEqual([[], 3]);
    expect((await run(sandbox, "--diff", "HEAD")).stdout).toContain(
      "Since HEAD: 1 better, 0 worse, of 5 prompts",
    );
    const { stdout } = spawnSync("git", ["status", "--short"], { cwd: sandbox.project, encoding: "utf8" });
    expect(stdout.trim()).toBe("M skills/expense-reports/SKILL.md");
    expect((await run(sandbox, "--diff", "nope")).stderr).toMatch(/has no commit 'nope'\.\n$/);
    expect((await run(sandbox, "--diff", "--output=x")).code).toBe(2);
  });

  test("gives the prompts to an agent and counts what it loads", async () => {
    const sandbox = repository();
    const agent = sandbox.write(
      "bin/claude",
      `#!${NODE}
const prompt = process.argv[process.argv.indexOf("-p") + 1];
const name = prompt.includes("invoice") ? "invoices" : prompt.includes("claim") ? "expense-reports" : undefined;
const use = name && { type: "tool_use", name: "mcp__skills__skill", input: { name } };
if (prompt.includes("zyxilo")) { console.error("no such model"); process.exit(3); }
console.log(JSON.stringify({ type: "assistant", message: { content: use ? [use] : [] } }));
`,
    );
    chmodSync(agent, 0o755);
    const env = { PATH: `${sandbox.path("bin")}:${process.env["PATH"] ?? ""}` };
    const ran = await runCommand(sandbox, ["eval", "--run", "claude-code"], { env });
    expect(ran.stdout).toMatch(
      /SKILL +PROMPTS +LOADED +OTHERS +NOTHING +FAILED\nexpense-reports +2 +1 +0 +0 +1\n/,
    );
    expect(ran.stdout).toContain("claude-code did what was expected with 4 of 5 prompts (80 %).");
    expect(ran.stderr).toContain("it ended with 3: no such model");
    const limited = await runCommand(sandbox, ["eval", "--run", "claude-code", "--limit", "1", "--json"], {
      env,
    });
    expect(JSON.parse(limited.stdout)).toMatchObject({
      results: [{ loaded: ["expense-reports"], passed: true }],
    });
    expect(
      (await run(sandbox, "--run", "codex")).code === 2 || process.env["PATH"]?.includes("codex"),
    ).toBeTruthy();
  });

  test("says what is missing", async () => {
    const sandbox = createSandbox();
    expect((await run(sandbox)).stdout).toContain("No skills found in .agents/skills, ");
    sandbox.skill("project/skills/pdf");
    expect((await run(sandbox)).stdout).toContain("None of 1 skill in skills has prompts to check.");
    expect((await run(sandbox, "nowhere")).stderr).toContain("'nowhere' does not exist.");
    expect((await run(sandbox, "--skill", "x")).stderr).toContain("there is no skill 'x' here");
    expect((await run(sandbox, "--limit", "3")).code).toBe(2);
  });
});

test("a prompt is added to a skill of the repository, and of a folder that is named", async () => {
  const sandbox = repository();
  const add = ["--skill", "chart-style", "--add-prompt", "plot the figures in our colours"];
  expect((await run(sandbox, ...add)).stdout).toContain("Added the prompt to");
  expect((await run(sandbox, "./skills", ...add)).stdout).toContain("has this prompt already");
  expect((await run(sandbox, "./skills", "--skill", "other", "--add-prompt", "x")).stderr).toContain(
    "not found",
  );
});
