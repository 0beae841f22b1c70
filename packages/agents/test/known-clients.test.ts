import { expect, test } from "vitest";
import { traitsOf } from "../src/known-clients.ts";

test.each<
  [name: string, version: string | undefined, title: string, description: number, instructions: number]
>([
  ["claude-code", "2.1.325", "Claude Code", 3_900, 4_000],
  ["claude-code", "2.1.296", "Claude Code", 3_900, 4_000],
  ["claude-code", "2.1.295", "Claude Code", 1_950, 2_000],
  ["claude-code", "2.1.1000", "Claude Code", 3_900, 4_000],
  ["claude-code", "3.0", "Claude Code", 3_900, 4_000],
  ["claude-code", "2.1", "Claude Code", 1_950, 2_000],
  ["claude-code", "v2.1.296", "Claude Code", 3_900, 4_000],
  ["claude-code", "2.1.296-beta.1", "Claude Code", 3_900, 4_000],
  ["claude-code", "next", "Claude Code", 1_950, 2_000],
  ["claude-code", undefined, "Claude Code", 1_950, 2_000],
  ["Claude Code", "", "Claude Code", 1_950, 2_000],
  ["claude_code", undefined, "Claude Code", 1_950, 2_000],
  ["claude-code (cli)", undefined, "Claude Code", 1_950, 2_000],
  ["codex-mcp-client", "0.166.0", "Codex", 20_000, 8_000],
  ["codex-mcp-client", "0.169.0", "Codex", 20_000, 8_000],
  ["qwen-cli-mcp-client-skills", "0.24.4", "Qwen Code", 20_000, 8_000],
  ["copilot-cli", "1.0.102", "Copilot CLI", 20_000, 2_000],
  ["gemini-cli-mcp-client", "0.61.0", "Gemini CLI", 20_000, 2_000],
  ["opencode", "1.18.33", "opencode", 20_000, 2_000],
  ["kilo", "7.7.7", "Kilo", 20_000, 2_000],
  ["@cline/core", "0.0.0", "Cline", 20_000, 2_000],
  ["continue-cli-client", "1.5.47", "Continue", 20_000, 2_000],
  ["nanocoder-mcp-client", "1.30.0", "Nanocoder", 20_000, 2_000],
  ["codex", undefined, "Codex", 20_000, 8_000],
  ["gemini", undefined, "Gemini CLI", 20_000, 2_000],
  ["copilot", undefined, "Copilot CLI", 20_000, 2_000],
  ["continue", undefined, "Continue", 20_000, 2_000],
  ["", undefined, "this client", 20_000, 2_000],
  ["copilot-chat", "1.0", "this client", 20_000, 2_000],
  ["claude-ai", "1.0", "this client", 20_000, 2_000],
  ["claude-codex", "1.0", "this client", 20_000, 2_000],
  ["not claude-code", "2.1.325", "this client", 20_000, 2_000],
  ["kilometre", "1.0", "this client", 20_000, 2_000],
])("traits: %s %s is %s and gets %i and %i characters", (name, version, title, description, instructions) => {
  const traits = traitsOf({ name, ...(version === undefined ? {} : { version }) });
  expect([traits.title, traits.budgets]).toEqual([title, { description, instructions }]);
});

test.each([
  ["codex-mcp-client", "0.166.0", "instructions", 157],
  ["codex-mcp-client", "0.169.0-alpha.3", "description", 250],
  ["codex-mcp-client", "0.170.1", "description", 250],
  ["codex", undefined, "instructions", 157],
  ["qwen-code", "0.24.4", "instructions", 157],
  ["copilot-cli", "1.0.102", "description", 157],
])(
  "traits: for %s %s the list begins in the %s, after a first line of %i characters",
  (name, version, place, limit) => {
    const traits = traitsOf({ name, ...(version === undefined ? {} : { version }) });
    expect([traits.listIn[0], traits.firstLineLimit]).toEqual([place, limit]);
  },
);

test("traits: a client that says nothing of itself gets what an unknown one gets", () => {
  expect(traitsOf(undefined)).toBe(traitsOf({ name: "somebody" }));
});
