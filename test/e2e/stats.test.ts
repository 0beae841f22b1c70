import { describe, expect, test } from "vitest";
import { runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const DAY_MS = 86_400_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

function record(
  sandbox: Sandbox,
  events: readonly (readonly [type: string, timestamp: string, data: object])[],
) {
  const months = new Map<string, string>();
  for (const [type, timestamp, data] of events) {
    const line = JSON.stringify({ type, timestamp, server_id: "dev-x", event_id: "x", data });
    const month = timestamp.slice(0, 7);
    months.set(month, `${months.get(month) ?? ""}${line}\n`);
  }
  for (const [month, lines] of months) sandbox.write(`home/.skills-mcp/usage/${month}.jsonl`, lines);
}

function busy(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  // Claude Code reads it itself, and whether it does is not known here.
  sandbox.skill("project/.claude/skills/docx");
  sandbox.write("lib/notes.md", "---\nkeywords: [notes]\ndescription: Notes\n---\nWrite them.\n");
  record(sandbox, [
    ["skill_served", daysAgo(0), { skill_path: "pdf", via: "skill" }],
    ["skill_served", daysAgo(1), { skill_path: "pdf", via: "skill" }],
    ["skill_served", daysAgo(20), { skill_path: "old", via: "get_skill" }],
    ["no_match", daysAgo(2), { context: "Deploy to  Mars" }],
    ["no_match", daysAgo(3), { context: "deploy to mars" }],
    ["skill_feedback", daysAgo(3), { skill_path: "pdf", useful: false, comment: "Out of date." }],
    ["script_executed", daysAgo(3), { skill_path: "pdf", file: "fill.py", success: false, duration_ms: 50 }],
  ]);
  return sandbox;
}

describe("stats", () => {
  test("prints what was used, what never was, and searches with no match", async () => {
    const { code, stdout, stderr } = await runCommand(busy(), ["stats", "--library", "../lib"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.replace(/from \S+ to \S+/, "from … to …").replace(/- \d{4}-\d\d-\d\d/, "- …")).toBe(
      `Usage from … to … (UTC)
3 loads · 1 script run · 2 searches with no match · 1 error
suggested 0 → searched 2 → loaded 3 → scripts 1

MOST USED  COUNT
pdf            2
old            1

NEVER USED (1)
notes

READ BY AN AGENT ITSELF, USE NOT KNOWN (1)
docx

SEARCHES WITH NO MATCH  COUNT
deploy to mars              2

FEEDBACK  USEFUL  NOT USEFUL
pdf            0           1
- … pdf: Out of date.

SCRIPT       RUNS  FAILED  MEDIAN
pdf fill.py     1       1   50 ms
`,
    );
  });

  test("--since leaves older days out, by number or by date", async () => {
    const sandbox = busy();
    for (const since of ["7d", daysAgo(6).slice(0, 10)]) {
      const { stdout } = await runCommand(sandbox, ["stats", "--json", "--since", since]);
      const summary = JSON.parse(stdout) as { since: string; days: unknown[]; mostUsed: { skill: string }[] };
      expect(summary.since).toBe(daysAgo(6).slice(0, 10));
      expect(summary.days).toHaveLength(7);
      expect(summary.mostUsed.map(({ skill }) => skill)).toEqual(["pdf"]);
    }
  });

  test("--json prints the shape that scripts depend on", async () => {
    const summary = JSON.parse(
      (await runCommand(busy(), ["stats", "--json", "--library", "../lib"])).stdout,
    ) as Record<string, unknown>;
    expect(summary).toMatchObject({
      totals: {
        events: 7,
        suggested: 0,
        served: 3,
        assets: 0,
        scripts: 1,
        noMatch: 2,
        ambiguous: 0,
        errors: 1,
      },
      neverUsed: ["notes"],
      readByAgents: ["docx"],
      noMatch: [{ query: "deploy to mars", count: 2 }],
      ambiguous: [],
      feedback: [
        { skill: "pdf", useful: 0, notUseful: 1, comments: [{ useful: false, text: "Out of date." }] },
      ],
      scripts: [{ skill: "pdf", file: "fill.py", runs: 1, failures: 1, p50Ms: 50 }],
    });
    expect(summary["days"]).toHaveLength(30);
  });

  test("--user-dir says whose history", async () => {
    const sandbox = busy();
    const { stdout } = await runCommand(sandbox, ["stats", "--user-dir", sandbox.path("elsewhere")]);
    expect(stdout).toContain("No skill has been used since");
  });

  test("a refresh is nobody's use", async () => {
    const sandbox = createSandbox();
    record(sandbox, [["refresh", daysAgo(0), { success: true }]]);
    expect((await runCommand(sandbox, ["stats"])).stdout).toContain("No skill has been used since");
  });

  test("with nothing recorded it tells a newcomer what to do, and makes nothing", async () => {
    const sandbox = createSandbox();
    const { code, stdout } = await runCommand(sandbox, ["stats"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Connect an agent");
    expect(JSON.parse((await runCommand(sandbox, ["stats", "--json"])).stdout)).toMatchObject({
      totals: { events: 0 },
    });
  });

  test.each(["0d", "-3d", "4000d", "7", "week", "2026-02-30", "2999-01-01", "1970-01-01", "2026-1-1"])(
    "--since %s is one clear line and exit 2",
    async (since) => {
      const { code, stdout, stderr } = await runCommand(createSandbox(), ["stats", `--since=${since}`]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^skills-mcp: --since takes .*\n$/);
    },
  );
});
