import { describe, expect, test } from "vitest";
import { nextSteps, renderStatus, type StatusReport, sourcesOf } from "../../src/render/status.ts";
import { createStyle } from "../../src/render/text.ts";

const CLAUDE = { id: "claude-code", name: "Claude Code" };
const CODEX = { id: "codex", name: "Codex" };
const HEALTHY: StatusReport = {
  version: "1.2.3",
  skills: 3,
  sources: [
    { name: "~/.claude/skills", skills: 2 },
    { name: "plugin office@market", skills: 1 },
  ],
  repositories: [],
  errors: 0,
  warnings: 0,
  clients: { connected: [CLAUDE], others: [] },
};

test("status: is a few lines long", () => {
  expect(
    renderStatus(HEALTHY, { width: 80, style: createStyle(false) }, "node /opt/cli.js").split("\n"),
  ).toEqual([
    "skills-mcp 1.2.3",
    "",
    "  Skills        3 (2 in ~/.claude/skills, 1 in plugin office@market)",
    "  Problems      none",
    "  Clients       connected: Claude Code",
    "",
    "Next",
    '  node /opt/cli.js search "<task>"  find the skill for a task',
    "  node /opt/cli.js serve --open     open the dashboard",
    "  node /opt/cli.js list             list all skills",
    "",
    "Usage: skills-mcp [command] [flags]. Run skills-mcp --help for all commands.",
    "",
  ]);
});

test("status: names failing repositories, problems and clients that are not connected", () => {
  const text = renderStatus(
    {
      ...HEALTHY,
      repositories: [
        { name: "team", isFailing: true },
        { name: "other", isFailing: false },
      ],
      errors: 1,
      warnings: 2,
      clients: { connected: [CLAUDE], others: [CODEX] },
    },
    { width: undefined, style: createStyle(false) },
    "skills-mcp",
  );
  expect(text).toContain("Repositories  2, failing: team\n");
  expect(text).toContain("Problems      1 error, 2 warnings\n");
  expect(text).toContain("Clients       connected: Claude Code; not connected: Codex\n");
});

describe("status: the next commands", () => {
  const none = { connected: [], others: [] };
  test.each<[string, Partial<StatusReport>, readonly string[]]>([
    [
      "a new machine",
      { skills: 0, clients: none },
      ["add anthropics/skills pdf", "new hello", "connect --list"],
    ],
    [
      "one client to connect",
      { clients: { connected: [], others: [CODEX] } },
      ["connect codex", 'search "<task>"', "serve --open"],
    ],
    [
      "several",
      { clients: { connected: [], others: [CLAUDE, CODEX] } },
      ["connect", 'search "<task>"', "serve --open"],
    ],
    ["errors first", { errors: 2, clients: none }, ["doctor", "connect --list", 'search "<task>"']],
    ["warnings after clients", { warnings: 1 }, ["doctor", 'search "<task>"', "serve --open"]],
  ])("%s", (_, change, expected) => {
    const commands = nextSteps({ ...HEALTHY, ...change }).map(([command]) => command);
    expect(commands).toEqual(expected.map((command) => `skills-mcp ${command}`));
  });
});

test("status: leaves out places without skills, and writes the home folder as ~", () => {
  const root = { provider: "claude", location: "user", exists: true };
  expect(
    sourcesOf(
      [
        { ...root, dir: "/home/ann/.claude/skills", skills: 1 },
        { ...root, dir: "/home/ann/.codex/skills", skills: 0 },
        { ...root, dir: "/plugins/office", plugin: "office@market", skills: 4 },
      ],
      "/home/ann",
    ),
  ).toEqual([
    { name: "plugin office@market", skills: 4 },
    { name: "~/.claude/skills", skills: 1 },
  ]);
});
