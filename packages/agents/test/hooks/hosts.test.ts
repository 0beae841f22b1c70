import { describe, expect, test } from "vitest";
import { CLIENTS } from "../../src/clients.ts";
import { insertEntry, readEntry, removeEntry } from "../../src/documents/document.ts";
import { commandsIn, HOOK_HOSTS, hookCommand, hookPlace, isOurHook } from "../../src/hooks/hosts.ts";

const PROGRAM = { node: "/usr/bin/node", script: "/opt/skills-mcp/dist/cli.js" };

describe.each(HOOK_HOSTS.map((host) => [host.title, host] as const))("the hook of %s", (_title, host) => {
  const command = hookCommand(host, PROGRAM, []);
  const entry = host.entry(command);

  test("is known again, and removed without a trace", () => {
    const others = `{\n  "model": "x",\n  "hooks": {\n    "${host.event}": [\n      {"hooks": [{"type": "command", "command": "mine"}]} // mine\n    ]\n  }\n}\n`;
    for (const text of ["", "{}", '{"hooks": {}}\n', others, host.newFile ?? "{}\n"]) {
      const inserted = insertEntry(text, "json", hookPlace(host), entry);
      expect(readEntry(inserted.text, "json", hookPlace(host))).toEqual(entry);
      expect(removeEntry(inserted.text, "json", hookPlace(host), inserted.undo)).toBe(text);
    }
    const { hooks } = JSON.parse(
      insertEntry(others.replace(" // mine", ""), "json", hookPlace(host), entry).text,
    ) as {
      hooks: Record<string, readonly object[]>;
    };
    // Codex knows the hooks that its user trusts by their number.
    expect(hooks[host.event]?.map((hook) => isOurHook(hook as Record<string, unknown>))).toEqual([
      false,
      true,
    ]);
  });

  test("runs this program, and belongs to a client that connect knows", () => {
    expect(commandsIn(entry)[0]).toBe(`"/usr/bin/node" "/opt/skills-mcp/dist/cli.js" hook run ${host.id}`);
    expect(CLIENTS.map(({ id }) => id)).toContain(host.id);
    expect(host.documentation).toMatch(/^https:\/\//);
  });
});

test.each([
  [["--profile", "work"], "--profile work"],
  [["--include", "claude:*"], '--include "claude:*"'],
  [["--skill-dir", "/my skills"], '--skill-dir "/my skills"'],
])("flags %j are written as %s", (flags, written) => {
  expect(hookCommand({ id: "codex" }, PROGRAM, flags)).toMatch(
    new RegExp(` codex ${written.replace(/[*]/g, "\\*")}$`),
  );
});

test("paths of Windows are written for every shell", () => {
  const program = { node: "C:\\Program Files\\nodejs\\node.exe", script: "C:\\x\\dist\\cli.js" };
  expect(hookCommand({ id: "codex" }, program, [])).toBe(
    '"C:/Program Files/nodejs/node.exe" "C:/x/dist/cli.js" hook run codex',
  );
});

test.each([
  [{ hooks: [{ command: "skills-mcp hook run codex" }] }, true],
  [{ bash: '"/n/node" "/a/dist/cli.js" hook run copilot-cli' }, true],
  [{ hooks: [{ command: "npx -y skills-mcp" }] }, false],
  [{ hooks: [{ command: "other hook run codex" }] }, false],
])("%j is ours: %s", (entry, isOurs) => {
  expect(isOurHook(entry)).toBe(isOurs);
});
