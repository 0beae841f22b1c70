import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  agentCalled,
  agentName,
  agentTitle,
  isAgent,
  nearestAgent,
  requireAgent,
} from "../src/agent-names.ts";
import { ALL_AGENTS } from "../src/all-agents.ts";

test.each([
  ["claude", "claude-code", "Claude Code"],
  ["Claude Code", "claude-code", "Claude Code"],
  ["claude_code", "claude-code", "Claude Code"],
  ["claude-desktop", "claude-ai", "Claude Desktop"],
  ["codex-mcp-client", "codex", "Codex"],
  ["gemini", "gemini-cli", "Gemini CLI"],
  ["copilot", "copilot-cli", "Copilot CLI"],
  ["vscode", "visual-studio-code", "VS Code"],
  ["@cline/core", "cline", "Cline"],
  // So it calls itself.
  ["cursor-vscode", "cursor", "Cursor"],
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
  ["codx", "codex"],
  ["cursr", "cursor"],
  ["cluade", "claude-code"],
  ["git-hub-copilot", "copilot-cli"],
  ["somebody-else", undefined],
])("mistyped agent: %s may mean %s", (name, expected) => {
  expect(nearestAgent(name)?.id).toBe(expected);
});

test("names of agents: an id, a title, a provider, a client, a program and what other tools say mean one agent", () => {
  for (const { id, title, provider, client, connect, alsoCalled = [] } of ALL_AGENTS) {
    const words = [id, title, title.toUpperCase(), provider, client?.name, ...alsoCalled];
    for (const word of [...words, ...(connect?.programs ?? [])])
      if (word !== undefined) expect(`${word}: ${agentCalled(word)?.id}`).toBe(`${word}: ${id}`);
  }
});

test("names of agents: the names of the npm package skills are known", () => {
  const file = path.join(path.dirname(fileURLToPath(import.meta.url)), "skills-package.json");
  const { agents } = JSON.parse(readFileSync(file, "utf8")) as { readonly agents: object };
  const unknown = Object.keys(agents).filter((name) => agentCalled(name) === undefined);
  // Its folder, agent/skills, may be anything in a project.
  expect(unknown).toEqual(["eve"]);
});

test("names of agents: the start of one id alone is enough, and no word means none", () => {
  expect(requireAgent("gem").id).toBe("gemini-cli");
  expect(agentCalled("codex-mcp-client")?.id).toBe("codex");
  for (const word of ["c", " ", ""]) expect(() => requireAgent(word)).toThrow("Unknown agent");
  // So that a skill of this name can follow `--agent claude`.
  expect(agentCalled("go")).toBeUndefined();
  expect(() => requireAgent("cluade")).toThrow("Unknown agent 'cluade'. Did you mean claude-code?");
  expect(() => requireAgent("zzzz")).toThrow("Unknown agent 'zzzz'. Run skills-mcp connect --list");
});
