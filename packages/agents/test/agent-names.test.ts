import { describe, expect, test } from "vitest";
import { agentName, agentTitle, isAgent, meantAgent } from "../src/agent-names.ts";

test.each([
  ["claude", "claude-code", "Claude Code"],
  ["Claude Code", "claude-code", "Claude Code"],
  ["claude_code", "claude-code", "Claude Code"],
  ["claude-desktop", "claude-ai", "claude-ai"],
  ["codex-mcp-client", "codex", "Codex"],
  ["gemini", "gemini-cli", "Gemini CLI"],
  ["copilot", "copilot-cli", "Copilot CLI"],
  ["vscode", "visual-studio-code", "visual-studio-code"],
  ["@cline/core", "cline", "Cline"],
  ["My Agent", "my-agent", "my-agent"],
  ["__proto__", "-proto-", "-proto-"],
])("name of an agent: %s is %s", (typed, name, title) => {
  expect(agentName(typed)).toBe(name);
  expect(agentName(name)).toBe(name);
  expect(agentTitle(name)).toBe(title);
});

describe("whether a client is an agent", () => {
  test.each([
    ["codex-mcp-client", "codex", true],
    ["claude-code", "claude-code", true],
    ["claude-ai", "claude-code", false],
    ["Visual Studio Code", "visual-studio-code", true],
    ["cursor-vscode", "cursor", true],
    ["cursory", "cursor", false],
    ["test", "codex", false],
  ])("client %s, agent %s: %s", (client, agent, expected) => {
    expect(isAgent({ name: client }, agent)).toBe(expected);
  });
});

test.each([
  ["codx", ["codex"]],
  ["cursr", ["cursor"]],
  ["codex", undefined],
  ["cursor", undefined],
  ["adal", undefined],
  ["somebody-else", []],
])("mistyped agent: %s may mean %j", (name, expected) => {
  expect(meantAgent(name)).toEqual(expected);
});
