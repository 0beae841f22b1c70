import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, IS_WINDOWS, NODE, nativePath, openedPath } from "../support/bin.ts";
import { freePort } from "../support/free-port.ts";
import { runCommand } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { serve } from "../support/serve.ts";

/** Where Zed has its settings. */
const ZED = IS_WINDOWS ? "AppData/Roaming/Zed/settings.json" : ".config/zed/settings.json";

const TOML = '# Mine\r\nmodel = "x"\r\n';
const JSONC = '{\n\t// Mine\n\t"theme": "dark",\n}\n';

const HTTP = ["--http", "http://127.0.0.1:4700/mcp"];

/** A home with three clients and no others: PATH has only what the command needs. */
function home(): Sandbox {
  const sandbox = createSandbox();
  sandbox.write("project/x", "");
  sandbox.write("home/.codex/config.toml", TOML);
  sandbox.write(`home/${ZED}`, JSONC);
  sandbox.write("home/.cursor/mcp.json", '{"mcpServers": {"skills": {"command": "other"}}}');
  return sandbox;
}

/** The same on every platform: `--user-dir` lets no variable count. */
const run = async (sandbox: Sandbox, ...args: string[]) =>
  await runCommand(sandbox, [...args, "--user-dir", sandbox.home], { env: { PATH: "" } });

interface Printed {
  readonly clients: readonly { readonly id: string; readonly action?: string; readonly state?: string }[];
}

const printed = async (sandbox: Sandbox, ...args: string[]) =>
  JSON.parse((await run(sandbox, ...args, "--json")).stdout) as Printed;

describe("connect and disconnect", () => {
  test("plan, then change what they may, then leave every byte as it was", async () => {
    const sandbox = home();
    const read = (file: string) => readFileSync(sandbox.path("home", file), "utf8");

    const planned = await run(sandbox, "connect");
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain("+[mcp_servers.skills]");
    expect(planned.stdout).toContain("omit_tools_from: the model sees the skills at once.\n");
    expect(planned.stderr).toBe(
      "skills-mcp: Nothing was changed. Name the clients to connect, or add --yes for all of them.\n",
    );
    expect([read(".codex/config.toml"), existsSync(sandbox.path("home/.skills-mcp"))]).toEqual([TOML, false]);

    const done = await run(sandbox, "connect", "--yes");
    expect(done.code).toBe(1);
    expect(done.stdout).toContain("Connected Codex, Zed.");
    expect(done.stdout).toContain("Start a new session of Codex");
    expect(done.stdout).toMatch(/Cursor .*\n {2}It has an entry 'skills' that does not start skills-mcp\./);
    const [, written = ""] = /\ncommand = (".+")\r\n/.exec(read(".codex/config.toml")) ?? [];
    const node = openedPath(JSON.parse(written) as string);
    expect(path.isAbsolute(node) && existsSync(node)).toBe(true);
    expect(read(".codex/config.toml")).toBe(
      `${TOML}\r\n[mcp_servers.skills]\r\ncommand = ${written}\r\nargs = [${JSON.stringify(nativePath(BIN))}]\r\nomit_tools_from = ["deferred"]\r\n`,
    );
    expect(read(ZED)).toContain('\t// Mine\n\t"theme": "dark",\n\t"context_servers"');

    const again = await printed(sandbox, "connect", "codex", "zed");
    expect(again.clients.map(({ action }) => action)).toEqual(["none", "none"]);
    const listed = (await printed(sandbox, "connect", "--list")).clients.filter(
      ({ state }) => state !== "not connected",
    );
    expect(listed.map(({ id, state }) => [id, state])).toEqual([
      ["codex", "connected"],
      ["cursor", "other entry"],
      ["zed", "connected"],
    ]);

    expect(await run(sandbox, "disconnect", "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Disconnected Codex, Zed.") as string,
    });
    expect([read(".codex/config.toml"), read(ZED)]).toEqual([TOML, JSONC]);
    expect(await run(sandbox, "disconnect")).toMatchObject({ code: 0, stdout: "No client is connected.\n" });
  });

  test("work on the project, over HTTP, and as a dry run", async () => {
    const sandbox = home();
    const file = sandbox.path("project/.vscode/mcp.json");
    const flags = ["--scope", "project", "--http", "http://127.0.0.1:4700/mcp"];
    expect((await run(sandbox, "connect", "vscode", ...flags, "--dry-run")).stdout).toContain(
      "Nothing was changed",
    );
    expect(existsSync(file)).toBe(false);
    expect((await run(sandbox, "connect", "vscode", ...flags)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      servers: { skills: { type: "http", url: "http://127.0.0.1:4700/mcp" } },
    });
    expect((await run(sandbox, "disconnect", "vscode", "--scope", "project")).code).toBe(0);
    expect(existsSync(sandbox.path("project/.vscode"))).toBe(false);
  });

  test("update what older versions wrote, and keep what users added to it", async () => {
    const sandbox = home();
    const old = 'command = "npx"\nargs = ["-y", "skills-mcp"]\nrequired = true\nstartup_timeout_sec = 60\n';
    const file = sandbox.write("home/.codex/config.toml", `[mcp_servers.skills]\n${old}`);
    sandbox.write(
      "home/.cursor/mcp.json",
      '{"mcpServers": {"skills": {"command": "npx", "args": ["-y", "skills-mcp@0.0.1"]}}}',
    );
    const done = await run(sandbox, "connect", "codex");
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(/\nThe server answers: no skills, 1 tool\.\n$/),
    ]);
    const text = readFileSync(file, "utf8");
    expect(text).toContain(`args = [${JSON.stringify(nativePath(BIN))}]`);
    expect(text).toContain("startup_timeout_sec = 60");
    expect(text).not.toContain("required");
    expect((await run(sandbox, "disconnect", "--yes")).stdout).toContain("Disconnected Codex, Cursor.");
  });

  test.each([
    [["connect", "codex", "--portable"], "--portable needs a published package"],
    [["connect", "cursr"], "Unknown agent 'cursr'. Did you mean cursor?"],
    [["connect", "codex", "--http", "nowhere"], "--http takes the address of a server"],
    [["connect", "codex", "--token", "abc"], "--token is for a server with an address"],
    [["connect", "codex", "--token-env", "T"], "--token-env is for a server with an address"],
    [["connect", "codex", ...HTTP, "--token", "a", "--token-env", "T"], "contradict each other"],
    [["connect", "codex", ...HTTP, "--token", "a b"], "--token takes a token"],
    [["connect", "codex", ...HTTP, "--token-env", "a-b"], "takes the name of a variable, not 'a-b'"],
    [["connect", "codex", ...HTTP, "--token", "a", "--scope", "project"], "--token-env SKILLS_TOKEN"],
    [["connect", "codex", "--scope", "machine"], "--scope takes user or project, not 'machine'."],
  ])("%j is bad usage", async (args, message) => {
    expect(await run(home(), ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});

/** A package as npx has it in its cache, with the fields of package.json that a release sets. */
function inCacheOfNpx(sandbox: Sandbox, fields: object) {
  const folder = sandbox.path("cache/_npx/0a1b/node_modules/@acme/tools");
  cpSync(path.dirname(BIN), path.join(folder, "dist"), { recursive: true });
  const found = JSON.parse(readFileSync(path.join(path.dirname(BIN), "../package.json"), "utf8")) as object;
  sandbox.write(
    "cache/_npx/0a1b/node_modules/@acme/tools/package.json",
    JSON.stringify({ ...found, ...fields }),
  );
  sandbox.write("project/x", "");
  return (script: string, ...args: string[]) =>
    spawnSync(NODE, [script, ...args], {
      cwd: sandbox.project,
      env: { HOME: sandbox.home, USERPROFILE: sandbox.home, PATH: "" },
      encoding: "utf8",
    });
}

describe("connect from a cache of npx", () => {
  test("copies the program to where it stays, for agents and hooks, and the copy serves without the cache", () => {
    const sandbox = createSandbox();
    const start = inCacheOfNpx(sandbox, {});
    const script = sandbox.path("cache/_npx/0a1b/node_modules/@acme/tools/dist/cli.js");
    const planned = start(script, "connect", "cursor", "--dry-run");
    expect([planned.status, existsSync(sandbox.path("home/.skills-mcp/bin"))]).toEqual([0, false]);
    const done = start(script, "connect", "cursor");
    expect(done.stderr).toMatch(
      /is in a cache that may be emptied, so it was copied to ~\/\.skills-mcp\/bin\/\S+\.\n/,
    );
    const { mcpServers } = JSON.parse(readFileSync(sandbox.path("home/.cursor/mcp.json"), "utf8")) as {
      mcpServers: { skills: { args: string[] } };
    };
    const [copied = ""] = mcpServers.skills.args;
    expect(copied).toMatch(/[/\\]home[/\\]\.skills-mcp[/\\]bin[/\\][^/\\]+[/\\]dist[/\\]cli\.js$/);
    const hook = start(script, "hook", "install", "claude-code");
    expect([hook.status, hook.stderr]).toEqual([0, ""]);
    expect(readFileSync(sandbox.path("home/.claude/settings.json"), "utf8")).toContain(
      copied.replaceAll("\\", "/"),
    );

    rmSync(sandbox.path("cache"), { recursive: true });
    expect(start(copied, "list").status).toBe(0);
    const again = start(copied, "connect", "cursor", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ clients: [{ action: "none" }] });
    expect(start(copied, "disconnect", "--yes").stdout).toContain("Disconnected Cursor.");
  });

  test("writes npx with the name and the version for a team, if the build is published", () => {
    const sandbox = createSandbox();
    const released = {
      name: "@acme/tools",
      private: false,
      repository: "https://code.example.com/acme/tools",
    };
    const start = inCacheOfNpx(sandbox, released);
    const script = sandbox.path("cache/_npx/0a1b/node_modules/@acme/tools/dist/cli.js");
    const { version } = JSON.parse(readFileSync(path.join(path.dirname(BIN), "../package.json"), "utf8")) as {
      version: string;
    };
    const flags = ["--scope", "project"];
    expect(start(script, "connect", "cursor", "--portable", ...flags).status).toBe(0);
    const file = path.join(sandbox.project, ".cursor/mcp.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      mcpServers: {
        skills: { command: "npx", args: ["--prefer-offline", "-y", `@acme/tools@${version}`] },
      },
    });
    expect(start(script, "disconnect", "cursor", ...flags).status).toBe(0);
    expect([existsSync(file), existsSync(sandbox.path("home/.skills-mcp/bin"))]).toEqual([false, false]);

    sandbox.write("project/s/SKILL.md", "---\nname: s\ndescription: Use it when it is used.\n---\n");
    const sarif = start(script, "audit", "s", "--sarif").stdout;
    expect(sarif).toContain('"informationUri": "https://code.example.com/acme/tools#readme"');
    expect(sarif).toContain(
      '"helpUri": "https://code.example.com/acme/tools/blob/HEAD/docs/reference/audit-rules.md#',
    );
  });
});

describe("connect to a server with tokens", () => {
  const TOKEN = "0123456789abcdef0123";

  async function withServer() {
    const sandbox = home();
    sandbox.skill("home/.claude/skills/pdf");
    const file = sandbox.write("tokens", `ann:${TOKEN}\n`);
    const url = `${await serve(sandbox, ["--token-file", file])}/mcp`;
    const connect = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      runCommand(sandbox, ["connect", "codex", "--http", url, "--user-dir", sandbox.home, ...args], { env });
    return { url, connect, config: () => readFileSync(sandbox.path("home/.codex/config.toml"), "utf8") };
  }

  test("writes the token as the agent does, shows it nowhere, and says that the server answers", async () => {
    const { url, connect, config } = await withServer();
    const bare = await connect([]);
    expect([bare.code, bare.stdout]).toEqual([
      0,
      expect.stringContaining(`${url}: The server wants a token (401). Connect again with --token-env`),
    ]);
    expect((await connect(["--token", "wrong"])).stdout).toContain("does not accept the token (401)");
    const done = await connect(["--token", TOKEN]);
    expect(done.stdout).toContain("The server answers: 1 skill.");
    expect(done.stdout).toContain('+http_headers = { Authorization = "Bearer <token>" }');
    expect(done.stdout).not.toContain(TOKEN);
    expect(config()).toContain(`Authorization = "Bearer ${TOKEN}"`);
    const named = await connect(["--token-env", "MINE", "--json"], { MINE: TOKEN });
    expect(JSON.parse(named.stdout)).toMatchObject({ check: { ok: true, skills: 1 } });
    expect(named.stdout).not.toContain(TOKEN);
    expect(config()).toContain('bearer_token_env_var = "MINE"');
    expect(config()).not.toContain(TOKEN);
    expect((await connect(["--token-env", "MINE"])).stdout).toContain("MINE is not set here");
  });

  test("says that nothing listens, or that the path is wrong", async () => {
    const { url, connect } = await withServer();
    const port = await freePort();
    const at = (address: string) => connect(["--http", address, "--token", TOKEN]);
    expect((await at(`http://127.0.0.1:${port}/mcp`)).stdout).toContain("does not work: connection refused.");
    expect((await at(url.replace(/mcp$/, "nothing"))).stdout).toContain("no MCP server at this path (404)");
  });
});
