import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/support/refused.ts";
import { COMMANDS } from "../src/command-table.ts";
import { findCommand } from "../src/find-command.ts";
import { flag, parseFlags } from "../src/flags.ts";
import { commandWords, entryOf } from "../src/run.ts";
import { FORMAT_FLAG, VIEW_FLAGS } from "../src/shared-flags.ts";
import { chosenColours } from "../src/terminal-log.ts";

const words = (line: string): readonly string[] => (line === "" ? [] : line.split(" "));

describe("the command of a command line", () => {
  test.each<[string, string | undefined, string]>([
    ["", undefined, ""],
    ["list --json", "list", "--json"],
    ["ls --json", "ls", "--json"],
    ["lst", "lst", ""],
    ["--skill-dir x", undefined, "--skill-dir x"],
    ["--skill-dir list", undefined, "--skill-dir list"],
    ["--skill-dir=x list", "list", "--skill-dir=x"],
    ["--user-dir x list --json", "list", "--user-dir x --json"],
    ["--user-dir x ls", "ls", "--user-dir x"],
    ["--claude-plugins-file list info pdf", "info", "--claude-plugins-file list pdf"],
    ["--scan-default-dirs list", "list", "--scan-default-dirs"],
    ["--strict list", "list", "--strict"],
    ["--no-color serve --port 80", "serve", "--no-color --port 80"],
    ["--log-level info", undefined, "--log-level info"],
    ["--log-level info info pdf", "info", "--log-level info pdf"],
    ["--json list", "list", "--json"],
    ["--limit 3 search pdf", "search", "--limit 3 pdf"],
    ["--help list", "list", "--help"],
    ["--no-color help list", "help", "--no-color list"],
    ["--strict extra", undefined, "--strict extra"],
    ["--strict -- list", undefined, "--strict -- list"],
    ["mcp list", "mcp", "list"],
  ])("%s", (line, name, rest) => {
    expect(findCommand(words(line), commandWords())).toEqual({ name, rest: words(rest) });
  });
});

describe("the names that users of other tools type", () => {
  const flags = { ...FORMAT_FLAG, ...VIEW_FLAGS };
  test.each<[string, object]>([
    ["--claude-plugins-file f --claude-plugins-root=r", { "plugins-file": "f", "plugins-root": "r" }],
    ["--no-scan-default-dirs", { "no-default-dirs": true }],
    ["--no-default-dirs --scan-default-dirs", { "no-default-dirs": false }],
    ["-f json", { format: "json" }],
    ["--format plain", { format: "plain" }],
  ])("%s", (line, expected) => {
    expect(parseFlags(words(line), flags).flags).toMatchObject(expected);
  });

  test.each<[string, RegExp]>([
    ["-x json", /^Unknown flag '-x'/],
    ["-xf json", /^Unknown flag '-xf'/],
    ["-f", /^-f needs a value: -f plain\|json\.$/],
    ["-f yaml", /^-f takes plain or json, not 'yaml'\.$/],
    ["--scan-default-dirs=no", /takes no value/],
  ])("%s is refused", (line, message) => {
    expect(refusalOf(() => parseFlags(words(line), flags)).message).toMatch(message);
  });

  test("none of them is known to a command without the flag", () => {
    const none = { json: flag.switch("") };
    expect(() => parseFlags(["--claude-plugins-file", "x"], none)).toThrow(/Unknown flag/);
  });
});

test.each<[string, boolean | undefined]>([
  ["list", undefined],
  ["list --color", true],
  ["--no-color list", false],
  ["--no-color list --color", true],
  ["info -- --color", undefined],
])("the colours of %j", (line, expected) => {
  expect(chosenColours(words(line))).toBe(expected);
});

test("aliases: a word stands for a command that exists, and for nothing else", () => {
  expect(entryOf("ls")).toBe(COMMANDS["list"]);
  expect(entryOf("list")).toBe(COMMANDS["list"]);
  expect(entryOf("constructor")).toBeUndefined();
  for (const word of commandWords()) expect(entryOf(word) !== undefined || word === "help").toBe(true);
});
