import { describe, expect, test } from "vitest";
import { CLIENTS } from "../src/clients.ts";
import { type Connection, entryFor, isOurs, mergeEntry, whyOf } from "../src/connect/client.ts";
import { clientOf } from "../src/connect/client-lines.ts";

const LOCAL: Connection = { kind: "local" };
const URL = "http://127.0.0.1:4700/mcp";
const HTTP: Connection = { kind: "http", url: URL };
const args = ["-y", "skills-mcp"];
const plain = { command: "npx", args };
const typed = { type: "stdio", command: "npx", args };
const shown = { omit_tools_from: ["deferred"] };
const opencode = { type: "local", command: ["npx", ...args], enabled: true };
const goose = { enabled: true, name: "skills", description: "Agent Skills", timeout: 300 };

/** What the documentation of each client shows: the keys, a server that it starts, and one over HTTP. */
const DOCUMENTED = [
  ["claude-code", "mcpServers", typed, { type: "http", url: URL }],
  ["claude-desktop", "mcpServers", plain, undefined],
  ["codex", "mcp_servers", { ...plain, required: true, ...shown }, { url: URL, ...shown }],
  ["cursor", "mcpServers", plain, { url: URL }],
  ["vscode", "servers", typed, { type: "http", url: URL }],
  ["vscode-insiders", "servers", typed, { type: "http", url: URL }],
  ["gemini-cli", "mcpServers", plain, { httpUrl: URL }],
  ["opencode", "mcp", opencode, { type: "remote", url: URL, enabled: true }],
  ["windsurf", "mcpServers", plain, { serverUrl: URL }],
  ["zed", "context_servers", { ...plain, env: {} }, { url: URL }],
  [
    "copilot-cli",
    "mcpServers",
    { type: "local", ...plain, tools: ["*"] },
    { type: "http", url: URL, tools: ["*"] },
  ],
  ["qwen-code", "mcpServers", { ...plain, alwaysLoadTools: true }, { httpUrl: URL, alwaysLoadTools: true }],
  ["cline", "mcpServers", { transport: typed }, { transport: { type: "streamableHttp", url: URL } }],
  ["cline-vscode", "mcpServers", plain, { type: "streamableHttp", url: URL }],
  ["roo-code", "mcpServers", plain, { type: "streamable-http", url: URL }],
  ["kilo", "mcp", opencode, { type: "remote", url: URL, enabled: true }],
  [
    "goose",
    "extensions",
    { ...goose, type: "stdio", cmd: "npx", args },
    { ...goose, type: "streamable_http", uri: URL },
  ],
  ["kiro", "mcpServers", plain, { url: URL }],
  ["amp", "amp.mcpServers", plain, { url: URL }],
  ["droid", "mcpServers", typed, { type: "http", url: URL }],
  [
    "continue",
    "mcpServers",
    { name: "skills", ...plain },
    { name: "skills", type: "streamable-http", url: URL },
  ],
  ["junie", "mcpServers", plain, { url: URL }],
  ["crush", "mcp", typed, { type: "http", url: URL }],
  ["rovo-dev", "mcpServers", { ...plain, transport: "stdio" }, { url: URL, transport: "http" }],
  [
    "nanocoder",
    "mcpServers",
    { transport: "stdio", ...plain, alwaysAllow: ["skill"] },
    { transport: "http", url: URL, alwaysAllow: ["skill"] },
  ],
] as const;

describe("the table of clients", () => {
  test("has an entry of the documented form for every client", () => {
    const forms = CLIENTS.map((client) => [
      client.id,
      client.keys.join("/"),
      entryFor(client, LOCAL, "linux"),
      entryFor(client, HTTP, "linux"),
    ]);
    expect(forms).toEqual(DOCUMENTED);
  });

  test.each(CLIENTS)("$id names its documentation, a file and how to find it", (client) => {
    expect(client.documentation).toMatch(/^https:\/\/[^/]+\/\S+$/);
    expect(client.user ?? client.project).toBeDefined();
    expect(Object.values(client.folders).flat()).not.toEqual([]);
    expect(client.next).toMatch(/\.$/);
  });

  test("ids are unique, and no program names two clients", () => {
    const names = CLIENTS.flatMap(({ id, programs }) => [
      id,
      ...programs.filter((program) => program !== id),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("a client that cannot start scripts gets a shell on Windows, and only there", () => {
    expect(entryFor(clientOf("claude-code"), LOCAL, "win32")).toEqual({
      type: "stdio",
      command: "cmd",
      args: ["/c", "npx", "-y", "skills-mcp"],
    });
    expect(entryFor(clientOf("gemini-cli"), LOCAL, "win32")).toEqual(plain);
    expect(entryFor(clientOf("claude-code"), HTTP, "win32")).toEqual({ type: "http", url: URL });
  });
});

test.each([
  [
    "codex",
    LOCAL,
    "required: the first turn waits for the server; omit_tools_from: the model sees the skills at once.",
  ],
  ["codex", HTTP, "omit_tools_from: the model sees the skills at once."],
  ["qwen-code", LOCAL, "alwaysLoadTools: the model sees the skills at once."],
  ["cursor", LOCAL, undefined],
] as const)("what the settings of %s are for is said in one line", (id, connection, why) => {
  const client = clientOf(id);
  expect(whyOf(client, entryFor(client, connection, "linux") ?? {})).toBe(why);
});

test.each([
  [true, { command: "npx", args: ["-y", "skills-mcp"] }],
  [true, { command: "npx", args: ["-y", "skills-mcp@1.2.3", "--include", "pdf"] }],
  [true, { command: "/usr/local/bin/skills-mcp" }],
  [true, { command: ["npx", "-y", "skills-mcp"] }],
  [true, { cmd: "cmd", args: ["/c", "npx", "-y", "skills-mcp"] }],
  [true, { transport: { type: "stdio", command: "npx", args: ["-y", "skills-mcp"] } }],
  [true, { command: "node", args: ["C:\\work\\skills-mcp\\dist\\cli.js"] }],
  [true, { type: "http", url: URL }],
  [true, { transport: { type: "streamableHttp", url: URL } }],
  [false, { type: "http", url: "https://example.com/mcp" }],
  [false, { command: "npx", args: ["-y", "other-skills-mcp"] }],
  [false, { command: "npx", args: ["-y", "skills-mcp-server"] }],
  [false, { command: "skills", env: { NOTE: "skills-mcp" } }],
  [false, {}],
])("isOurs is %s for %j", (expected, entry) => {
  expect(isOurs(entry, { url: URL })).toBe(expected);
});

test.each([
  [
    "keeps what the user added",
    { ...plain, env: { SKILLS_REPO: "a/b" }, required: true },
    plain,
    { ...plain, env: { SKILLS_REPO: "a/b" }, required: true },
  ],
  ["replaces other arguments", { ...plain, args: ["-y", "skills-mcp", "--strict"] }, plain, plain],
  [
    "leaves no variables to an address",
    { ...plain, env: { A: "b" }, trust: true },
    { url: URL },
    { url: URL, trust: true },
  ],
  [
    "keeps the headers of an address",
    { url: "http://old/mcp", headers: { A: "b" } },
    { url: URL },
    { url: URL, headers: { A: "b" } },
  ],
  [
    "keeps limits",
    { ...plain, timeout: 5, tools: ["skill"] },
    { ...plain, tools: ["*"] },
    { ...plain, timeout: 5, tools: ["skill"] },
  ],
  [
    "enables it again",
    { ...plain, enabled: false, disabled: true },
    { ...plain, enabled: true },
    { ...plain, enabled: true },
  ],
  ["adds no type that is implied", plain, typed, plain],
  [
    "requires no address for having required a program",
    { ...plain, required: true },
    { url: URL },
    { url: URL },
  ],
  [
    "keeps an address required",
    { url: "http://old/mcp", required: true },
    { url: URL },
    { url: URL, required: true },
  ],
  ["leaves no headers to a command", { url: URL, headers: { A: "b" } }, plain, plain],
])("an update %s", (_what, old, entry, expected) => {
  expect(mergeEntry(old, entry)).toEqual(expected);
});
