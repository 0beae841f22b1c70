import { describe, expect, test } from "vitest";
import { describedSkills, ERAS, loadSkill } from "../support/client.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

function withSkills(config: string): Sandbox {
  const sandbox = createSandbox();
  for (const name of ["deploy", "git", "pdf", "zip"])
    sandbox.skill(`home/.kiro/skills/${name}`, { description: `Handles ${name} files.` });
  sandbox.write("home/.skills-mcp/config.yaml", config);
  return sandbox;
}

const RULES = `visibility:
  always: [zip]
  name_only: ["git for codex"]
  manual: [deploy]
`;

async function toldTo(sandbox: Sandbox, clientName: string): Promise<string> {
  const connection = await connect(sandbox, { era: "2025-11-25", clientName });
  return `${await describedSkills(connection)}\n${connection.client.getInstructions() ?? ""}`;
}

describe.each(ERAS)("rules of the operator in the %s era", (era) => {
  test("decide how an agent's list shows a skill, and each of them loads by its name", async () => {
    const args = ["mcp", "--tools", "loader,finder"];
    const connection = await connect(withSkills(RULES), { era, clientName: "codex-mcp-client", args });
    const told = (await describedSkills(connection)) + (connection.client.getInstructions() ?? "");
    expect(told).toContain("- zip: Handles zip files.\n- pdf: Handles pdf files.\nAlso: git\n");
    expect(told).not.toContain("deploy");
    expect(told).not.toContain("Handles git files.");
    for (const name of ["deploy", "git", "pdf", "zip", "kiro:deploy"])
      expect([name, (await loadSkill(connection, name)).isError]).toEqual([name, false]);
    const { client } = connection;
    const found = await client.callTool({ name: "find_skills", arguments: { task: "handle deploy files" } });
    expect(JSON.stringify(found)).not.toContain("skills/deploy");
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain("deploy");
  });
});

test("visibility: a rule for one agent changes no byte of what another is told", async () => {
  const usual = await toldTo(withSkills("{}\n"), "cursor-vscode");
  const ruled = await toldTo(withSkills('visibility:\n  manual: ["* for codex"]\n'), "cursor-vscode");
  expect(ruled).toBe(usual);
});

test("visibility: what the dashboard wrote counts before the settings", async () => {
  const sandbox = withSkills(RULES);
  const listed = { "*": { "kiro:deploy": "usual" }, codex: { "kiro:pdf": "manual" } };
  sandbox.write("home/.skills-mcp/disabled.json", JSON.stringify({ version: 1, listed }));
  const told = await toldTo(sandbox, "codex-mcp-client");
  expect(told).toContain("deploy");
  expect(told).not.toContain("Handles pdf");
});

test("visibility: doctor says which rule it is, and info who sees the skill", async () => {
  const sandbox = withSkills(RULES);
  const why = async (name: string) =>
    (await runCommand(sandbox, ["doctor", "--why", name, "--client", "codex"])).stdout.split("\n")[0];
  expect(await why("deploy")).toBe(
    "Codex does not list deploy, which loads by its exact name, because a rule of the operator says so.",
  );
  expect(await why("git")).toBe(
    "Codex sees only the name of git at turn 1, because a rule of the operator says so.",
  );
  expect(await why("zip")).toBe(
    "Codex sees zip before all others, with its whole description, because a rule of the operator says so.",
  );
  const { stdout } = await runCommand(sandbox, ["info", "deploy"]);
  expect(stdout).toContain("Seen by    Kiro: loads by name only");
});

test("visibility: an agent that looks misspelled is a wrong setting with its line", async () => {
  const { stderr, code } = await runCommand(withSkills('visibility:\n  manual: ["pdf for codx"]\n'), [
    "list",
  ]);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/config\.yaml:2: visibility\.manual/);
});
