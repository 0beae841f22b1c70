import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/command-table.ts";
import { bashScript } from "../src/shell/bash.ts";
import { argumentsOf, type DescribedCommand, describeCommands } from "../src/shell/describe-commands.ts";
import { fishScript } from "../src/shell/fish.ts";
import { manualPage } from "../src/shell/manual.ts";
import { zshScript } from "../src/shell/zsh.ts";

describe("what a command takes, by its usage", () => {
  test.each([
    ["info", "info <name>", "skills"],
    ["update", "update [name…]", "skills"],
    ["remove", "remove <skill>…", "skills"],
    ["enable", "enable <name>…", "disabled-skills"],
    ["new", "new <name>", []],
    ["validate", "validate <path>…", "files"],
    ["add", "add <source> [skill…]", "files"],
    ["completion", "completion bash|zsh|fish", ["bash", "zsh", "fish"]],
    ["list", "list", []],
    ["search", "search <query>", []],
  ])("%s", (name, usage, expected) => {
    expect(argumentsOf(name, usage)).toEqual(expected);
  });
});

test.each([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
  ["the manual", (commands: readonly DescribedCommand[]) => manualPage(commands, "1.2.3")],
])("%s names every command and every flag", async (_, write) => {
  const commands = await describeCommands();
  expect(commands.map(({ name }) => name)).toEqual(Object.keys(COMMANDS));
  const text = write(commands).replaceAll("\\-", "-");
  for (const { name, aliases, flags } of commands) {
    for (const word of [name, ...aliases]) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
    for (const flag of flags) expect(text).toMatch(new RegExp(`(?:--|-l )${flag.name}\\b`));
  }
});

test("quotes and brackets in a help text stay text", () => {
  const flags = [{ name: "x", help: "it's [a]: b\\c", value: "", kind: undefined }];
  const command = { name: "mcp", aliases: [], usage: "mcp", summary: "'.so' it", flags, arguments: [] };
  expect(zshScript([command])).toContain("'*--x[it'\\''s \\[a\\]\\: b\\\\c]'");
  expect(fishScript([command])).toContain("-d 'it\\'s [a]: b\\\\c'");
  expect(manualPage([command], "1")).toContain("\n\\&'.so' it.\n");
});
