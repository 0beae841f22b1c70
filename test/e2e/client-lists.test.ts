import { describe, expect, test } from "vitest";

import { describedSkills, ERAS, loadSkill, namesIn } from "../support/client.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";

const DESCRIPTION = "Handles one kind of task for teams that need it, with examples, checks and a way back.";
const CLAUDE = { clientName: "claude-code", clientVersion: "2.1.325" } as const;

function skillsIn(sandbox: Sandbox, folder: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `topic-${String(index).padStart(4, "0")}`;
    sandbox.skill(`${folder}/${name}`, { description: DESCRIPTION });
    return name;
  });
}

describe.each(ERAS)("what a client is told at its handshake in the %s era", (era) => {
  test.each([8, 60])("Claude Code sees all of %i skills, each once, within what it shows", async (count) => {
    const sandbox = createSandbox();
    const names = skillsIn(sandbox, "home/.kiro/skills", count);
    const connection = await connect(sandbox, { era, ...CLAUDE });
    const description = await describedSkills(connection);
    const instructions = connection.client.getInstructions() ?? "";
    expect([...namesIn(description), ...namesIn(instructions)].toSorted()).toEqual(names);
    expect(description.replaceAll("…", "...").length).toBeLessThanOrEqual(3_900);
    expect(instructions.replaceAll("…", "...").length).toBeLessThanOrEqual(4_000);
  });

  test("Claude Code sees at least 300 of 1,200 names", async () => {
    const sandbox = createSandbox();
    skillsIn(sandbox, "home/.kiro/skills", 1_200);
    const connection = await connect(sandbox, { era, ...CLAUDE });
    const shown = [
      ...namesIn(await describedSkills(connection)),
      ...namesIn(connection.client.getInstructions() ?? ""),
    ];
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.length).toBeGreaterThan(300);
  });

  test.each([
    ["codex-mcp-client", "0.166.0"],
    ["qwen-cli-mcp-client-skills", "0.24.4"],
  ])("%s %s reads the list in the instructions", async (clientName, clientVersion) => {
    const sandbox = createSandbox();
    const names = skillsIn(sandbox, "home/.kiro/skills", 60);
    const connection = await connect(sandbox, { era, clientName, clientVersion });
    const instructions = connection.client.getInstructions() ?? "";
    expect(namesIn(instructions)).toEqual(names);
    expect(instructions.length).toBeLessThanOrEqual(8_000);
    expect(namesIn(await describedSkills(connection))).toEqual([]);
  });

  test("Codex since 0.169 reads the list in the description, and in one line what fits into 250 characters", async () => {
    const sandbox = createSandbox();
    const names = skillsIn(sandbox, "home/.kiro/skills", 60);
    const codex = { era, clientName: "codex-mcp-client", clientVersion: "0.169.0" };
    const connection = await connect(sandbox, codex);
    expect(namesIn(await describedSkills(connection))).toEqual(names);
    const instructions = connection.client.getInstructions() ?? "";
    expect(instructions).toMatch(
      /^Before a task, load its skill with `skill`: topic-0000, [^\n]* … 60 in all\.$/,
    );
    expect(instructions.length).toBeGreaterThan(157);
    expect(instructions.length).toBeLessThanOrEqual(250);

    const few = createSandbox();
    const all = skillsIn(few, "home/.kiro/skills", 15);
    const small = await connect(few, codex);
    expect(small.client.getInstructions()).toBe(
      `Before a task, load its skill with \`skill\`: ${all.join(", ")}.`,
    );
  });

  test.each(["gemini-cli-mcp-client", "copilot-cli", "opencode"])(
    "%s reads a lead, and the list in the description",
    async (clientName) => {
      const sandbox = createSandbox();
      const names = skillsIn(sandbox, "home/.kiro/skills", 8);
      const connection = await connect(sandbox, { era, clientName });
      expect(connection.client.getInstructions()).toBe(
        `Before a task, load its skill with \`skill\`: ${names.join(", ")}.`,
      );
      expect(namesIn(await describedSkills(connection))).toEqual(names);
    },
  );

  test("an unknown client reads the names in the instructions too", async () => {
    const sandbox = createSandbox();
    const names = skillsIn(sandbox, "home/.kiro/skills", 60);
    const connection = await connect(sandbox, { era });
    expect(connection.client.getInstructions()).toContain(`\nNames: ${names.join(", ")}.`);
  });

  test("--instructions-budget 0 sends none", async () => {
    const sandbox = createSandbox();
    skillsIn(sandbox, "home/.kiro/skills", 8);
    const connection = await connect(sandbox, { era, args: ["mcp", "--instructions-budget", "0"] });
    expect(connection.client.getInstructions()).toBeUndefined();
  });

  test("skills that the client reads itself are left out and counted, and still load", async () => {
    const sandbox = createSandbox();
    sandbox.skill("home/.claude/skills/native");
    sandbox.skill("project/.claude/skills/near");
    sandbox.skill("home/.kiro/skills/other");
    const connection = await connect(sandbox, { era, ...CLAUDE });
    const description = await describedSkills(connection);
    expect(namesIn(description)).toEqual(["other"]);
    expect(description).toContain("2 more skills are known to Claude Code itself.");
    expect((await loadSkill(connection, "native")).isError).toBe(false);
    const { prompts } = await connection.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["other"]);
    expect(await connection.client.getPrompt({ name: "native" })).toHaveProperty("messages");
    const all = await connect(sandbox, { era, ...CLAUDE, args: ["mcp", "--include-native"] });
    expect(namesIn(await describedSkills(all)).toSorted()).toEqual(["native", "near", "other"]);
    // The client does not read the folder that stands for its home folder.
    const elsewhere = await connect(sandbox, { era, ...CLAUDE, args: ["mcp", "--user-dir", sandbox.home] });
    expect(namesIn(await describedSkills(elsewhere)).toSorted()).toEqual(["native", "other"]);
    const codex = await connect(sandbox, { era, clientName: "codex-mcp-client" });
    expect(namesIn(await describedSkills(codex))).toHaveLength(3);
  });
});

test("doctor --client prints what a server sends", async () => {
  const sandbox = createSandbox();
  skillsIn(sandbox, "home/.kiro/skills", 40);
  sandbox.skill("home/.claude/skills/native");
  const ran = await runCommand(sandbox, ["doctor", "--client", "claude-code@2.1.325", "--json"]);
  const view = JSON.parse(ran.stdout) as {
    instructions: string;
    tools: { description: string }[];
    native: string[];
  };
  const connection = await connect(sandbox, { era: "2025-11-25", ...CLAUDE });
  expect(view.instructions).toBe(connection.client.getInstructions());
  expect(view.tools[0]?.description).toBe(await describedSkills(connection));
  expect(view.native).toEqual(["native"]);
});

test.each([
  [["doctor", "--client", "a@"], "--client takes a name or name@version"],
  [["doctor", "--include-native"], "--include-native needs --client"],
])("%j is refused on one line", async (args, message) => {
  const ran = await runCommand(createSandbox(), args);
  expect([ran.code, ran.stderr.split("\n").length]).toEqual([2, 2]);
  expect(ran.stderr).toContain(message);
});
