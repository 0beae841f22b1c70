import { describe, expect, test } from "vitest";
import { COMMANDS } from "../src/command-table.ts";
import { bashScript } from "../src/shell/bash.ts";
import { argumentsOf, type DescribedCommand, describeCommand } from "../src/shell/describe-commands.ts";
import { fishScript } from "../src/shell/fish.ts";
import { manualPage } from "../src/shell/manual.ts";
import { zshScript } from "../src/shell/zsh.ts";

describe("completion: what a command takes, by its usage", () => {
  test.each([
    [" <name>", "skills"],
    [" [name…]", "skills"],
    [" <skill>…", "skills"],
    [" <path>…", "files"],
    [" <source> [skill…]", "files"],
    [" bash|zsh|fish", ["bash", "zsh", "fish"]],
    ["", []],
    [" <query>", []],
  ])("'%s'", (usage, expected) => {
    expect(argumentsOf(usage)).toEqual(expected);
  });

  test.each([
    ["enable", "disabled-skills"],
    ["new", []],
  ])("%s declares it, because its usage does not tell", async (name, expected) => {
    const { command } = (await COMMANDS[name]?.load()) ?? {};
    expect(command && describeCommand(command).arguments).toEqual(expected);
  });
});

test.each([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
  ["the manual", (commands: readonly DescribedCommand[]) => manualPage(commands, "1.2.3")],
])("completion and manual: %s names every command and every flag", async (_, write) => {
  const loaded = await Promise.all(Object.values(COMMANDS).map(({ load }) => load()));
  const commands = loaded.map(({ command }) => describeCommand(command));
  const text = write(commands).replaceAll("\\-", "-");
  for (const { name, aliases, flags } of commands) {
    for (const word of [name, ...aliases]) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
    for (const flag of flags) expect(text).toMatch(new RegExp(`(?:--|-l )${flag.name}\\b`));
  }
});

test("completion and manual: quotes and brackets in a help text stay text", () => {
  const flags = [{ name: "x", help: "it's [a]: b\\c", value: "", kind: undefined }];
  const command = {
    name: "mcp",
    aliases: [],
    usage: "mcp",
    summary: "'.so' it",
    flags,
    arguments: [],
    examples: [],
  };
  expect(zshScript([command])).toContain("'*--x[it'\\''s \\[a\\]\\: b\\\\c]'");
  expect(fishScript([command])).toContain("-d 'it\\'s [a]: b\\\\c'");
  expect(manualPage([command], "1")).toContain("\n\\&'.so' it.\n");
});
