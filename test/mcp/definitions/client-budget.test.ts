import { expect, test } from "vitest";
import { descriptionBudgetFor } from "../../../src/mcp/definitions/client-budget.ts";

test.each<[string | undefined, number]>([
  ["claude-code", 2_000],
  ["Claude Code", 2_000],
  ["claude_code", 2_000],
  ["claudecode", 2_000],
  ["claude-code/2.1.0", 2_000],
  ["claude-code (cli)", 2_000],
  [undefined, 20_000],
  ["", 20_000],
  ["claude-ai", 20_000],
  ["Claude Desktop", 20_000],
  ["claude-codex", 20_000],
  ["codex-mcp-client", 20_000],
  ["not claude-code", 20_000],
  ["cursor-vscode", 20_000],
  ["mcp-inspector", 20_000],
])("a client called %s gets a description of %i characters", (name, budget) => {
  expect(descriptionBudgetFor(name)).toBe(budget);
});

test("the budget of a client that cuts descriptions stays below the cut", () => {
  expect(descriptionBudgetFor("claude-code")).toBeLessThan(2_048);
});
