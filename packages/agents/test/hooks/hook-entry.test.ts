import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CONNECT_TARGETS } from "../../src/connect/connect-targets.ts";
import { insertEntry, readEntry, removeEntry } from "../../src/documents/document.ts";
import { commandsIn, HOOK_TARGETS, hookCommand, hookPlace, isOurHook } from "../../src/hooks/hook-entry.ts";

const PROGRAM = { node: "/usr/bin/node", script: "/opt/skills-mcp/dist/cli.js" };

describe.each(HOOK_TARGETS.map((agent) => [agent.title, agent] as const))("hook of %s", (_title, agent) => {
  const command = hookCommand(agent, PROGRAM, []);
  const entry = agent.entry(command);

  test("is found again, and removed without a trace", () => {
    const others = `{\n  "model": "x",\n  "hooks": {\n    "${agent.event}": [\n      {"hooks": [{"type": "command", "command": "mine"}]} // mine\n    ]\n  }\n}\n`;
    for (const text of ["", "{}", '{"hooks": {}}\n', others, agent.newFile ?? "{}\n"]) {
      const inserted = insertEntry(text, "json", hookPlace(agent), entry);
      expect(readEntry(inserted.text, "json", hookPlace(agent))).toEqual(entry);
      expect(removeEntry(inserted.text, "json", hookPlace(agent), inserted.undo)).toBe(text);
    }
    const { hooks } = JSON.parse(
      insertEntry(others.replace(" // mine", ""), "json", hookPlace(agent), entry).text,
    ) as {
      hooks: Record<string, readonly object[]>;
    };
    // Codex knows the hooks that its user trusts by their number.
    expect(hooks[agent.event]?.map((hook) => isOurHook(hook as Record<string, unknown>))).toEqual([
      false,
      true,
    ]);
  });

  test("runs this program, and belongs to an agent that connect knows", () => {
    expect(commandsIn(entry)[0]).toBe(`"/usr/bin/node" "/opt/skills-mcp/dist/cli.js" hook run ${agent.id}`);
    expect(CONNECT_TARGETS.map(({ id }) => id)).toContain(agent.id);
    expect(agent.documentation).toMatch(/^https:\/\//);
  });
});

test.each([
  [["--profile", "work"], "--profile work"],
  [["--include", "claude:*"], '--include "claude:*"'],
  [["--skill-dir", "/my skills"], '--skill-dir "/my skills"'],
])("command of a hook: flags %j are written as %s", (flags, written) => {
  expect(hookCommand({ id: "codex" }, PROGRAM, flags)).toMatch(
    new RegExp(` codex ${written.replace(/[*]/g, "\\*")}$`),
  );
});

const WINDOWS = { node: "C:\\Program Files\\nodejs\\node.exe", script: "C:\\x\\dist\\cli.js" };

test.each([
  [false, "C:\\x\\dist\\cli.js", '"C:/Program Files/nodejs/node.exe" "C:/x/dist/cli.js" hook run codex'],
  [true, "C:\\x\\dist\\cli.js", "node C:/x/dist/cli.js hook run codex"],
  [true, "C:\\Jo Po\\dist\\cli.js", 'node "C:/Jo Po/dist/cli.js" hook run codex'],
  [true, "C:\\@a\\dist\\cli.js", 'node "C:/@a/dist/cli.js" hook run codex'],
])(
  "command of a hook: with Node in PATH (%s), %s is written for every shell",
  (isInPath, script, written) => {
    expect(hookCommand({ id: "codex" }, { ...WINDOWS, script }, [], isInPath)).toBe(written);
  },
);

test("command of a hook: bash has the words that were meant, and no first word is in quotes for PowerShell", () => {
  const flags = ["--include", "a,b", "--skill-dir", "D:\\My skills"];
  const command = hookCommand(
    { id: "codex" },
    { ...WINDOWS, script: "C:\\Jo Po\\dist\\cli.js" },
    flags,
    true,
  );
  const words = spawnSync("bash", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" }).stdout;
  expect(words.trimEnd().split("\n")).toEqual([
    ...["node", "C:/Jo Po/dist/cli.js", "hook", "run", "codex"],
    ...["--include", "a,b", "--skill-dir", "D:/My skills"],
  ]);
  expect(command).toMatch(/^node /);
});

test.each([
  [{ hooks: [{ command: "skills-mcp hook run codex" }] }, true],
  [{ bash: '"/n/node" "/a/dist/cli.js" hook run copilot-cli' }, true],
  [{ hooks: [{ command: "npx -y skills-mcp" }] }, false],
  [{ hooks: [{ command: "other hook run codex" }] }, false],
])("hook %j is ours: %s", (entry, isOurs) => {
  expect(isOurHook(entry)).toBe(isOurs);
});
