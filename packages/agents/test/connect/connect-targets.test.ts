import { describe, expect, test } from "vitest";
import type { ServerConnection } from "../../src/connect/connect-form.ts";
import { CONNECT_TARGETS } from "../../src/connect/connect-targets.ts";
import { entryFor, isOurs, mergeEntry, whyOf } from "../../src/connect/entry.ts";
import { targetOf } from "./target-of.ts";

const NODE = "/usr/bin/node";
const SCRIPT = "/opt/tools/dist/cli.js";
const LOCAL: ServerConnection = { kind: "local", command: [NODE, SCRIPT] };
const URL = "http://127.0.0.1:4700/mcp";
const HTTP: ServerConnection = { kind: "http", url: URL };
const args = [SCRIPT];
const plain = { command: NODE, args };
const typed = { type: "stdio", command: NODE, args };
const shown = { omit_tools_from: ["deferred"] };
const opencode = { type: "local", command: [NODE, ...args], enabled: true };
const goose = { enabled: true, name: "skills", description: "Agent Skills", timeout: 300 };

/** What older versions wrote for Codex. */
const OLD = { command: "npx", args: ["-y", "skills-mcp"], required: true };

/** What the documentation of each agent shows: the keys, a server that it starts, and one over HTTP. */
const DOCUMENTED = [
  ["claude-code", "mcpServers", typed, { type: "http", url: URL }],
  ["claude-desktop", "mcpServers", plain, undefined],
  ["codex", "mcp_servers", { ...plain, ...shown }, { url: URL, ...shown }],
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
    { ...goose, type: "stdio", cmd: NODE, args },
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

describe("agents that connect knows", () => {
  test.each(DOCUMENTED)("%s has an entry of the documented form", (id, keys, local, http) => {
    const agent = targetOf(id);
    expect(agent.keys.join("/")).toBe(keys);
    expect(entryFor(agent, LOCAL, "linux")).toEqual(local);
    expect(entryFor(agent, HTTP, "linux")).toEqual(http);
  });

  test("a new one follows those that users know", () => {
    const known = DOCUMENTED.map(([id]) => id);
    expect(CONNECT_TARGETS.slice(0, known.length).map(({ id }) => id)).toEqual(known);
  });

  test.each(CONNECT_TARGETS)("$id names its documentation, a file and how to find it", (agent) => {
    expect(agent.documentation).toMatch(/^https:\/\/[^/]+\/\S+$/);
    expect(agent.user ?? agent.project).toBeDefined();
    expect(Object.values(agent.folders).flat()).not.toEqual([]);
    expect(agent.next).toMatch(/\.$/);
  });

  test("ids are unique, and no program names two agents", () => {
    const names = CONNECT_TARGETS.flatMap(({ id, programs }) => [
      id,
      ...programs.filter((program) => program !== id),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("an agent that cannot start scripts gets a shell for npx on Windows, and only there", () => {
    const npx: ServerConnection = { kind: "local", command: ["npx", "-y", "@a/b@1.0.0"] };
    expect(entryFor(targetOf("claude-code"), npx, "win32")).toEqual({
      type: "stdio",
      command: "cmd",
      args: ["/c", "npx", "-y", "@a/b@1.0.0"],
    });
    expect(entryFor(targetOf("gemini-cli"), npx, "win32")).toMatchObject({ command: "npx" });
    expect(entryFor(targetOf("claude-code"), LOCAL, "win32")).toEqual(typed);
    expect(entryFor(targetOf("claude-code"), HTTP, "win32")).toEqual({ type: "http", url: URL });
  });
});

test.each([
  ["codex", LOCAL, "omit_tools_from: the model sees the skills at once."],
  ["codex", HTTP, "omit_tools_from: the model sees the skills at once."],
  ["qwen-code", LOCAL, "alwaysLoadTools: the model sees the skills at once."],
  ["cursor", LOCAL, undefined],
] as const)("settings of %s: one line says what they are for", (id, connection, why) => {
  const agent = targetOf(id);
  expect(whyOf(agent, entryFor(agent, connection, "linux") ?? {})).toBe(why);
});

describe("a token", () => {
  const withToken: ServerConnection = { kind: "http", url: URL, token: "abc" };
  const withVariable: ServerConnection = { kind: "http", url: URL, tokenEnv: "TOKEN" };

  test.each(CONNECT_TARGETS.filter(({ remote }) => remote !== undefined).map(({ id }) => id))(
    "of %s is in its entry as it is",
    (id) => {
      expect(JSON.stringify(entryFor(targetOf(id), withToken, "linux"))).toContain("Bearer abc");
    },
  );

  test.each([
    ["claude-code", { headers: { Authorization: "Bearer ${TOKEN}" } }],
    ["codex", { bearer_token_env_var: "TOKEN" }],
    ["cursor", { headers: { Authorization: "Bearer ${env:TOKEN}" } }],
    ["gemini-cli", { headers: { Authorization: "Bearer $TOKEN" } }],
    ["qwen-code", { headers: { Authorization: "Bearer $TOKEN" } }],
    ["opencode", { headers: { Authorization: "Bearer {env:TOKEN}" } }],
    ["kilo", { headers: { Authorization: "Bearer {env:TOKEN}" } }],
    ["windsurf", { headers: { Authorization: "Bearer ${env:TOKEN}" } }],
    ["crush", { headers: { Authorization: "$(echo Bearer $TOKEN)" } }],
    ["nanocoder", { headers: { Authorization: "Bearer $TOKEN" } }],
  ])("of %s is named by a variable as its documentation says", (id, expected) => {
    expect(entryFor(targetOf(id), withVariable, "linux")).toMatchObject(expected);
  });

  test("in a variable has no entry where the agent is not known to read one", () => {
    expect(entryFor(targetOf("zed"), withVariable, "linux")).toBeUndefined();
  });
});

test.each([
  [true, { command: "npx", args: ["-y", "skills-mcp"] }],
  [true, { command: "npx", args: ["-y", "skills-mcp@1.2.3", "--include", "pdf"] }],
  [true, { command: "/usr/local/bin/skills-mcp" }],
  [true, { command: ["npx", "-y", "skills-mcp"] }],
  [true, { cmd: "cmd", args: ["/c", "npx", "-y", "skills-mcp"] }],
  [true, { transport: { type: "stdio", command: "npx", args: ["-y", "skills-mcp"] } }],
  [true, { command: "node", args: ["C:\\work\\skills-mcp\\dist\\cli.js"] }],
  [true, { command: "node", args: ["/home/ann/.skills-mcp/bin/1.2.3/dist/cli.js"] }],
  [true, { command: NODE, args: [SCRIPT] }],
  [true, { command: "npx", args: ["--prefer-offline", "-y", "@acme/tools@1.2.3"] }],
  [true, { command: "node", args: ["/usr/lib/node_modules/@acme/tools/dist/cli.js"] }],
  [true, { command: "node", args: ["/moved/away/dist/cli.js", "--strict"] }],
  [true, { type: "http", url: URL }],
  [true, { transport: { type: "streamableHttp", url: URL } }],
  [false, { type: "http", url: "https://example.com/mcp" }],
  [false, { command: "npx", args: ["-y", "other-skills-mcp"] }],
  [false, { command: "npx", args: ["-y", "skills-mcp-server"] }],
  [false, { command: "skills", env: { NOTE: "skills-mcp" } }],
  [false, { command: "node", args: ["/opt/other/dist/cli.js"] }],
  [false, { command: "npx", args: ["-y", "@acme/tools-other"] }],
  [false, {}],
])("isOurs: %s for %j", (expected, entry) => {
  const written = { command: "node", args: ["/moved/away/dist/cli.js"] };
  const own = [SCRIPT, "@acme/tools"];
  expect(isOurs(entry, { url: URL }, own) || isOurs(entry, written, own)).toBe(expected);
});

test.each([
  [
    "keeps what the user added",
    { ...plain, env: { SKILLS_REPO: "a/b" }, required: true },
    plain,
    { ...plain, env: { SKILLS_REPO: "a/b" }, required: true },
  ],
  ["replaces other arguments", { ...plain, args: [SCRIPT, "--strict"] }, plain, plain],
  [
    "requires no longer what an older version required",
    { ...OLD, env: { A: "b" } },
    plain,
    { ...plain, env: { A: "b" } },
  ],
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
  ["requires no address for having required a program", OLD, { url: URL }, { url: URL }],
  [
    "keeps an address required",
    { url: "http://old/mcp", required: true },
    { url: URL },
    { url: URL, required: true },
  ],
  [
    "puts a new token in the place of the old one, beside other headers",
    { url: URL, headers: { authorization: "Bearer old", A: "b" }, timeout: 5 },
    { url: URL, headers: { Authorization: "Bearer new" } },
    { url: URL, headers: { A: "b", Authorization: "Bearer new" }, timeout: 5 },
  ],
  [
    "puts the name of a variable in the place of a token",
    { url: URL, http_headers: { Authorization: "Bearer old" } },
    { url: URL, bearer_token_env_var: "TOKEN" },
    { url: URL, bearer_token_env_var: "TOKEN" },
  ],
  [
    "puts a token in the place of the name of a variable",
    { url: URL, bearer_token_env_var: "TOKEN" },
    { url: URL, http_headers: { Authorization: "Bearer new" } },
    { url: URL, http_headers: { Authorization: "Bearer new" } },
  ],
  [
    "puts a new token into the options of requests",
    { url: URL, requestOptions: { timeout: 5, headers: { Authorization: "Bearer old", A: "b" } } },
    { url: URL, requestOptions: { headers: { Authorization: "Bearer new" } } },
    { url: URL, requestOptions: { timeout: 5, headers: { A: "b", Authorization: "Bearer new" } } },
  ],
  ["leaves no headers to a command", { url: URL, headers: { A: "b" } }, plain, plain],
])("update of an entry: %s", (_what, old, entry, expected) => {
  expect(mergeEntry(old, entry)).toEqual(expected);
});
