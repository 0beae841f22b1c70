import { describe, expect, test } from "vitest";
import {
  type EntryPlace,
  type FormatName,
  insertEntry,
  readEntry,
  removeEntry,
  updateEntry,
} from "../../src/documents/document.ts";

const ENTRY = { command: "npx", args: ["-y", "skills-mcp"] };
const inMap = (...keys: string[]): EntryPlace => ({ keys, name: "skills", inList: false });
const IN_LIST: EntryPlace = { keys: ["mcpServers"], name: "skills", inList: true };

const JSON_ENTRY = `"skills": {
      "command": "npx",
      "args": ["-y", "skills-mcp"]
    }`;

describe("insert", () => {
  test.each<readonly [string, FormatName, EntryPlace, string, string]>([
    ["into a new file", "json", inMap("mcpServers"), "", `{\n  "mcpServers": {\n    ${JSON_ENTRY}\n  }\n}\n`],
    [
      "behind other servers, with their comments in place",
      "json",
      inMap("mcpServers"),
      '{\n  "mcpServers": {\n    "a": {} // mine\n    // the end\n  }\n}',
      `{\n  "mcpServers": {\n    "a": {}, // mine\n    ${JSON_ENTRY}\n    // the end\n  }\n}`,
    ],
    [
      "with a trailing comma where there is one",
      "json",
      inMap("mcp"),
      '{\n\t"a": 1,\n}\n',
      '{\n\t"a": 1,\n\t"mcp": {\n\t\t"skills": {\n\t\t\t"command": "npx",\n\t\t\t"args": ["-y", "skills-mcp"]\n\t\t}\n\t},\n}\n',
    ],
    [
      "on one line where everything is",
      "json",
      inMap("mcpServers"),
      '{"a":1}',
      '{"a":1, "mcpServers": {"skills":{"command":"npx","args":["-y","skills-mcp"]}}}',
    ],
    [
      "as a table at the end of TOML",
      "toml",
      inMap("mcp_servers"),
      'model = "x" # why',
      'model = "x" # why\n\n[mcp_servers.skills]\ncommand = "npx"\nargs = ["-y", "skills-mcp"]\n',
    ],
    [
      "as the first extension in YAML, with CRLF",
      "yaml",
      inMap("extensions"),
      "extensions: # all\r\n    a:\r\n        enabled: true\r\n",
      'extensions: # all\r\n    skills:\r\n      command: npx\r\n      args: ["-y", "skills-mcp"]\r\n    a:\r\n        enabled: true\r\n',
    ],
    [
      "into an empty list in YAML",
      "yaml",
      IN_LIST,
      "mcpServers: [] # none\nname: x\n",
      'mcpServers: # none\n  - name: skills\n    command: npx\n    args: ["-y", "skills-mcp"]\nname: x\n',
    ],
  ])("%s", (_what, format, place, before, after) => {
    const entry = place.inList ? { name: "skills", ...ENTRY } : ENTRY;
    const { text, undo } = insertEntry(before, format, place, entry);
    expect(text).toBe(after);
    expect(removeEntry(text, format, place, undo)).toBe(before);
  });
});

describe("refused document", () => {
  test.each<readonly [string, FormatName, EntryPlace, string, RegExp]>([
    ["broken JSON", "json", inMap("mcpServers"), '{\n  "a": ,\n}', /not valid JSON \(line 2: /],
    ["JSON that is a list", "json", inMap("mcpServers"), "[]", /The file is not an object/],
    [
      "servers that are no map",
      "json",
      inMap("mcpServers"),
      '{"mcpServers": null}',
      /'mcpServers' is not an object/,
    ],
    ["the same key twice", "json", inMap("a"), '{"a": {}, "a": {}}', /'a' twice/],
    ["broken TOML", "toml", inMap("mcp_servers"), "a = \n", /not valid TOML \(line 1: /],
    [
      "a table in TOML that is closed",
      "toml",
      inMap("mcp_servers"),
      "mcp_servers = {}\n",
      /cannot be edited safely: change 'mcp_servers.skills' by hand/,
    ],
    ["broken YAML", "yaml", inMap("extensions"), "a: [1\n", /not valid YAML/],
    [
      "flow style in YAML",
      "yaml",
      inMap("extensions"),
      "extensions: {a: {b: 1}}\n",
      /cannot be edited safely/,
    ],
    ["several documents in YAML", "yaml", inMap("extensions"), "a: 1\n---\nb: 1\n", /several YAML documents/],
  ])("%s", (_what, format, place, text, message) => {
    expect(() => insertEntry(text, format, place, ENTRY)).toThrow(message);
  });
});

test.each<readonly [string, FormatName, EntryPlace, string, string]>([
  [
    "JSON, next to what others wrote meanwhile",
    "json",
    inMap("mcpServers"),
    '{"mcpServers": {"skills": {"command": "npx"}, "b": {}}}',
    '{"mcpServers": { "b": {}}}',
  ],
  [
    "TOML, with the tables below it",
    "toml",
    inMap("mcp_servers"),
    'a = 1\n\n[mcp_servers.skills]\ncommand = "npx"\n\n[mcp_servers.skills.env]\nA = "b"\n\n# Next\n[tui]\n',
    "a = 1\n\n# Next\n[tui]\n",
  ],
  [
    "YAML, whose map is empty then",
    "yaml",
    inMap("extensions"),
    "extensions:\n  skills:\n    cmd: npx\nb: 1\n",
    "extensions: {}\nb: 1\n",
  ],
])("remove: an entry without a record goes from %s", (_what, format, place, before, after) => {
  expect(removeEntry(before, format, place)).toBe(after);
});

test("update: TOML keeps the tables below the entry", () => {
  const text =
    '[mcp_servers.skills]\ncommand = "npx"\nargs = []\n\n[mcp_servers.skills.env]\nA = "b" # why\n';
  const entry = { command: "npx", args: ["-y", "skills-mcp"], env: { A: "b" } };
  expect(updateEntry(text, "toml", inMap("mcp_servers"), entry)).toBe(
    '[mcp_servers.skills]\ncommand = "npx"\nargs = ["-y", "skills-mcp"]\n\n[mcp_servers.skills.env]\nA = "b" # why\n',
  );
});

test.each<readonly [string, FormatName, EntryPlace, string, string]>([
  [
    "TOML",
    "toml",
    inMap("mcp_servers"),
    `[mcp_servers.skills] # mine\n# the program\ncommand = "node" # "#1"\nargs = [\n  "a", # first\n]\n\n# slow\nstartup_timeout_sec = 30 # s\nold = 1\n`,
    `[mcp_servers.skills] # mine\n# the program\ncommand = "npx" # "#1"\nargs = ["-y", "skills-mcp"]\n\n# slow\nstartup_timeout_sec = 30 # s\n`,
  ],
  [
    "a YAML map",
    "yaml",
    inMap("extensions"),
    `extensions:\n  skills: # mine\n    # the program\n    command: node # "1\n    args:\n      - a # first\n    # slow\n    startup_timeout_sec: 30 # s\n    old: 1\n  other: {}\n`,
    `extensions:\n  skills: # mine\n    # the program\n    command: npx # "1\n    args: ["-y", "skills-mcp"]\n    # slow\n    startup_timeout_sec: 30 # s\n  other: {}\n`,
  ],
  [
    "a YAML list",
    "yaml",
    IN_LIST,
    `mcpServers:\n  - name: skills # mine\n    # the program\n    command: node\n    startup_timeout_sec: 30 # s\n`,
    `mcpServers:\n  - name: skills # mine\n    # the program\n    command: npx\n    startup_timeout_sec: 30 # s\n    args: ["-y", "skills-mcp"]\n`,
  ],
])("update: %s keeps the comments in the entry", (_what, format, place, text, expected) => {
  const entry = { ...(place.inList ? { name: "skills" } : {}), ...ENTRY, startup_timeout_sec: 30 };
  expect(updateEntry(text, format, place, entry)).toBe(expected);
});

test("JSON with 3,000 nested objects is refused with the way out", () => {
  const text = `{"a": ${'{"a":'.repeat(3_000)}1${"}".repeat(3_001)}`;
  const refused = "The file has more than 500 levels of objects and lists: change it by hand.";
  expect(() => readEntry(text, "json", inMap("mcpServers"))).toThrow(refused);
  expect(() => insertEntry("[".repeat(100_000), "json", inMap("mcpServers"), ENTRY)).toThrow(refused);
});

test("update: JSON keeps the comments in the entry", () => {
  const text =
    '{\n  "mcp": {\n    "skills": {\n      // Mine\n      "command": "npx",\n      "args": []\n    }\n  }\n}\n';
  const updated = updateEntry(text, "json", inMap("mcp"), ENTRY);
  expect(updated).toContain("// Mine");
  expect(updated).toContain("skills-mcp");
});
