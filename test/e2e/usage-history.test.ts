import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadSkill } from "../support/client.ts";
import { createEventSink } from "../support/event-sink.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../support/sandbox.ts";
import { ask, topic } from "../support/team-library.ts";

function machine(): Sandbox {
  const sandbox = createSandbox(DISK_FOLDER);
  sandbox.skill("project/.claude/skills/pdf");
  const script = "scripts: [{file: fail.sh, description: Fails, execution: server}]\n";
  sandbox.write("library/login.md", topic("login", "Login.", script));
  sandbox.write("library/login/fail.sh", "exit 3\n");
  sandbox.write("library/cart.md", topic("cart", "Cart."));
  return sandbox;
}

/** A working day of an agent. */
async function use(sandbox: Sandbox, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const connection = await connect(sandbox, {
    era: "2026-07-28",
    env: { SKILLS_DIR: sandbox.path("library"), ...env },
  });
  await ask(connection, "get_skill", { context: "login" });
  await ask(connection, "get_skill", { context: "Bake  bread" });
  await ask(connection, "get_skill", { context: "bake bread" });
  await ask(connection, "run_script", { skill_path: "login", file: "fail.sh", args: {} });
  await ask(connection, "report_usage", { skill_path: "login", useful: false, comment: "Out of date." });
  await loadSkill(connection, "pdf");
  await loadSkill(connection, "pdf");
  await connection.close();
}

async function stats(sandbox: Sandbox, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(sandbox, ["stats", ...args], {
    env: { SKILLS_DIR: sandbox.path("library") },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("the history of this machine", () => {
  test("needs no endpoint, and stats tells all of it", async () => {
    const sandbox = machine();
    await use(sandbox);
    expect(existsSync(path.join(sandbox.home, ".skills-mcp", "analytics-buffer.jsonl"))).toBe(false);
    const shown = (await stats(sandbox))
      .replace(/from \S+ to \S+/, "from … to …")
      .replace(/^- \S+/m, "- …")
      .replace(/ +\d+ ms$/m, " … ms");
    expect(shown).toBe(`Usage from … to … (UTC)
3 loads · 1 script run · 2 searches with no match · 1 error
suggested 0 → searched 3 → loaded 3 → scripts 1

MOST USED  COUNT
pdf            2
login          1

NEVER USED (1)
cart

CLIENT  SEARCHED  LOADED  SCRIPTS  NO MATCH
test           3       3        1         2

SEARCHES WITH NO MATCH  COUNT
bake bread                  2

FEEDBACK  USEFUL  NOT USEFUL
login          0           1
- … login: Out of date.

SCRIPT         RUNS  FAILED  MEDIAN
login fail.sh     1       1 … ms
`);
    expect(JSON.parse(await stats(sandbox, "--json", "--since", "1d"))).toMatchObject({
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
      neverUsed: ["cart"],
      noMatch: [{ query: "bake bread", count: 2 }],
      days: [{ served: 3 }],
    });
  });

  test("can be turned off; then an endpoint gets the events, and nothing of them stays", async () => {
    const sandbox = machine();
    const sink = await createEventSink();
    sandbox.write("home/.skills-mcp/config.yaml", "analytics:\n  history: false\n");
    await use(sandbox, { ANALYTICS_ENDPOINT: sink.url });
    expect(sink.taken()).toHaveLength(7);
    expect(existsSync(path.join(sandbox.home, ".skills-mcp", "usage"))).toBe(false);
    expect(JSON.parse(await stats(sandbox, "--json"))).toMatchObject({ totals: { events: 0 } });
  });
});
