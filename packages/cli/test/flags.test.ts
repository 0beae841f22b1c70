import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../test/support/refused.ts";
import { COMMANDS } from "../src/command-table.ts";
import { type Flags, flag, parseFlags } from "../src/flags.ts";
import { VIEW_FLAGS, viewOptions } from "../src/shared-flags.ts";

const FLAGS = {
  json: { kind: "switch", help: "" },
  "no-plugins": { kind: "switch", help: "" },
  root: { kind: "text", value: "<dir>", help: "" },
  include: { kind: "list", value: "<tokens>", help: "" },
  port: { kind: "number", value: "<port>", min: 1, max: 65_535, help: "" },
  description: { kind: "choice", choices: ["xml", "list"], help: "" },
  level: { kind: "choice", choices: ["debug", "info", "warn", "error"], help: "" },
} as const satisfies Flags;

const NOTHING = {
  json: false,
  "no-plugins": false,
  root: undefined,
  include: [],
  port: undefined,
  description: undefined,
  level: undefined,
};

describe("flags: arguments that are read", () => {
  test.each<[string, object, string[]]>([
    ["", {}, []],
    ["--json", { json: true }, []],
    ["--json --json", { json: true }, []],
    ["--no-plugins", { "no-plugins": true }, []],
    ["--root here", { root: "here" }, []],
    ["--root=here", { root: "here" }, []],
    ["--root=a=b", { root: "a=b" }, []],
    ["--root=--json", { root: "--json" }, []],
    ["--root -", { root: "-" }, []],
    ["--root a --root b", { root: "b" }, []],
    ["--include a", { include: ["a"] }, []],
    ["--include a --json --include=b,c", { include: ["a", "b,c"], json: true }, []],
    ["--port 4700", { port: 4700 }, []],
    ["--port=1", { port: 1 }, []],
    ["--port 65535", { port: 65_535 }, []],
    ["--port 007", { port: 7 }, []],
    ["--description xml", { description: "xml" }, []],
    ["--description=list", { description: "list" }, []],
    ["pdf", {}, ["pdf"]],
    ["pdf --json git", { json: true }, ["pdf", "git"]],
    ["-", {}, ["-"]],
    ["--json -- --json --root -x", { json: true }, ["--json", "--root", "-x"]],
    ["-- --", {}, ["--"]],
    ["--", {}, []],
  ])("%s", (line, flags, positionals) => {
    const args = line === "" ? [] : line.split(" ");
    const named = new Set(Object.keys(flags));
    expect(parseFlags(args, FLAGS)).toEqual({ flags: { ...NOTHING, ...flags }, named, positionals });
  });
});

test("flags: a value may hold spaces, and an empty positional stays", () => {
  const { flags, positionals } = parseFlags(["--root", "my skills", ""], FLAGS);
  expect([flags.root, positionals]).toEqual(["my skills", [""]]);
});

describe("flags: arguments that are refused, with the flag and the reason on one line", () => {
  test.each<[string, string, RegExp]>([
    ["--port abc", "--port", /whole number from 1 to 65535, not 'abc'/],
    ["--port 0", "--port", /not '0'/],
    ["--port -5", "--port", /not '-5'/],
    ["--port=-5", "--port", /not '-5'/],
    ["--port 1.5", "--port", /not '1.5'/],
    ["--port 99999", "--port", /not '99999'/],
    ["--port 99999999999", "--port", /not '99999999999'/],
    ["--port 1e3", "--port", /not '1e3'/],
    ["--port 0x10", "--port", /not '0x10'/],
    ["--port 12px", "--port", /not '12px'/],
    ["--port Infinity", "--port", /not 'Infinity'/],
    [`--port ${"9".repeat(400)}`, "--port", /whole number/],
    ["--port ٣", "--port", /whole number/],
    ["--port", "--port", /--port needs a value: --port <port>/],
    ["--port=", "--port", /needs a value/],
    ["--port --json", "--port", /needs a value/],
    ["--root", "--root", /--root needs a value: --root <dir>/],
    ["--root --json", "--root", /needs a value/],
    ["--root -x", "--root", /needs a value/],
    ["--root a\0b", "--root", /NUL/],
    ["--include", "--include", /--include needs a value: --include <tokens>/],
    ["--include=", "--include", /needs a value/],
    ["--description html", "--description", /takes xml or list, not 'html'/],
    ["--description XML", "--description", /not 'XML'/],
    ["--level loud", "--level", /^--level takes debug, info, warn or error, not 'loud'\.$/],
    ["--level wran", "--level", /, not 'wran'\. Did you mean 'warn'\?$/],
    ["--description", "--description", /needs a value: --description xml\|list/],
    ["--json=true", "--json", /--json takes no value/],
    ["--no-plugins=false", "--no-plugins", /takes no value/],
    ["--jsn", "--jsn", /Unknown flag '--jsn'\. Did you mean --json\?/],
    ["--includes pdf", "--includes", /Did you mean --include\?/],
    ["--no-plugin", "--no-plugin", /Did you mean --no-plugins\?/],
    ["--jsn=1", "--jsn", /Unknown flag '--jsn'\. Did you mean --json\?/],
    ["-json", "-json", /Unknown flag '-json'\. Did you mean --json\?/],
    ["--qqqq", "--qqqq", /^Unknown flag '--qqqq'\.$/],
    ["-j", "-j", /Unknown flag '-j'/],
    ["--__proto__", "--__proto__", /Unknown flag/],
    ["--constructor x", "--constructor", /Unknown flag/],
    ["--=x", "--", /Unknown flag/],
    ["---json", "---json", /Unknown flag/],
  ])("%s", (line, flag, reason) => {
    const refusal = refusalOf(() => parseFlags(line.split(" "), FLAGS));
    expect(refusal.detail).toMatchObject({ code: "bad-usage", flag });
    expect(refusal.message).toMatch(reason);
    expect(refusal.message).not.toContain("\n");
  });
});

test.each([
  ["-a one two three x", ["one", "two", "three"], ["x"]],
  ["-a one x two", ["one"], ["x", "two"]],
  ["-a one --json two", ["one"], ["two"]],
  ["-a one -- two", ["one"], ["two"]],
  ["-a x -a two", ["x", "two"], []],
  ["one -a two", ["two"], ["one"]],
])("flags: of '%s', the words after a list that belong to it are its values", (line, values, positionals) => {
  const takesMore = (word: string): boolean => ["one", "two", "three"].includes(word);
  const flags = {
    agent: flag.list("<agents>", "agents", { short: "a", takesMore }),
    json: flag.switch("print JSON"),
  };
  expect(parseFlags(line.split(" "), flags)).toMatchObject({ flags: { agent: values }, positionals });
});

test("flags: another spelling of a choice is that choice, and only if it is one", () => {
  const flags = { run: flag.choice(["codex"], "agent", { means: (typed) => typed.replace("x-cli", "x") }) };
  expect(parseFlags(["--run", "codex-cli"], flags).flags.run).toBe("codex");
  expect(() => parseFlags(["--run", "other"], flags)).toThrow("--run takes codex, not 'other'.");
});

test("flags: any argument is read or refused, and none is lost", () => {
  const word = fc.constantFrom(
    "--json",
    "--root",
    "--include",
    "--port",
    "--port=3",
    "7",
    "x",
    "--",
    "-",
    "--nope",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (args) => {
      try {
        const { flags, positionals } = parseFlags(args, FLAGS);
        const values = flags.include.length + positionals.length;
        expect(values).toBeLessThanOrEqual(args.length);
      } catch (error) {
        expect(error).toMatchObject({ name: "Refusal", detail: { code: "bad-usage" } });
      }
    }),
    { numRuns: 500 },
  );
});

describe("the flags that every view of skills shares", () => {
  const optionsFor = (line: string) =>
    viewOptions(parseFlags(line.split(" ").filter(Boolean), VIEW_FLAGS).flags);

  test.each<[string, object]>([
    [
      "",
      {
        folders: { first: [], defaults: true },
        plugins: { skip: false },
        reading: { strict: false, lenient: false },
        filter: { include: [], exclude: [] },
      },
    ],
    ["--skill-dir a --skill-dir b", { folders: { first: ["a", "b"] } }],
    ["--root r --skill-dir a", { folders: { first: ["a", "r"] } }],
    ["--no-default-dirs", { folders: { defaults: false } }],
    ["--no-plugins", { plugins: { skip: true } }],
    ["--strict", { reading: { strict: true } }],
    [
      "--include codex,pdf --include x --exclude @plugins",
      { filter: { include: ["codex,pdf", "x"], exclude: ["@plugins"] } },
    ],
    ["--user-dir u --plugins-file f --plugins-root p", { userDir: "u", plugins: { file: "f", root: "p" } }],
  ])("'%s' is read", (line, options) => {
    expect(optionsFor(line)).toMatchObject(options);
  });

  test("a flag that was not given is absent, so that its default applies", () => {
    expect(Object.keys(optionsFor(""))).not.toContain("userDir");
  });

  test.each(["list", "info", "search", "mcp", "enable", "disable"])(
    "%s takes every one of them",
    async (name) => {
      const { flags } = (await COMMANDS[name]?.load())?.command ?? { flags: {} };
      expect(Object.keys(flags)).toEqual(expect.arrayContaining(Object.keys(VIEW_FLAGS)));
    },
  );
});

test("N3: mcp understands --no-refresh, --no-watch and --no-plugins", async () => {
  const { flags } = (await COMMANDS["mcp"]?.load())?.command ?? { flags: {} };
  const read = parseFlags(["--no-refresh", "--no-watch", "--no-plugins"], flags).flags;
  expect(read).toMatchObject({ "no-refresh": true, "no-watch": true, "no-plugins": true });
});
