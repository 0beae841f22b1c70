import { chmodSync, renameSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { connectHttp, WAYS } from "../support/connect-http.ts";
import { freePort } from "../support/free-port.ts";
import { startInProcess } from "../support/in-process.ts";
import { messagesOf } from "../support/log.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const CONFIG = "home/.skills-mcp/config.yaml";
const ANN = "ann-0123456789abcdef";
const BOB = "bob-0123456789abcdef";

function writeTokens(sandbox: Sandbox, ...lines: readonly string[]): string {
  const file = sandbox.write("tokens", `${lines.join("\n")}\n`);
  chmodSync(file, 0o600);
  return file;
}

/** For a server of a team with two skills. */
function commandLine(sandbox: Sandbox, args: readonly string[] = []): readonly string[] {
  for (const name of ["charts", "maps"]) sandbox.skill(`home/.claude/skills/${name}`);
  const tokens = writeTokens(sandbox, `ann:${ANN}`);
  return ["mcp", "--transport", "http", "--token-file", tokens, "--log-level", "debug", ...args];
}

function start(sandbox: Sandbox, args: readonly string[] = []) {
  return startInProcess(sandbox, commandLine(sandbox, args));
}

/** The same as a process of its own, for signals. */
async function startBin(sandbox: Sandbox) {
  const port = await freePort();
  const running = spawnBin(sandbox, [...commandLine(sandbox), "--port", String(port)]);
  onTestFinished(async () => {
    running.child.kill("SIGKILL");
    await running.exit;
  });
  await waitUntil("it listens", () => running.stderr().includes("listening on"));
  return { ...running, url: `http://127.0.0.1:${port}` };
}

const listOf = async ({ client }: Awaited<ReturnType<typeof connectHttp>>): Promise<string> =>
  JSON.stringify((await client.listTools()).tools);

/** Its lines since a moment. */
const linesWith = (stderr: string, word: string): readonly string[] =>
  messagesOf(stderr)
    .split("\n")
    .filter((line) => line.includes(word));

describe("a server takes over changed settings while it runs", () => {
  test.each(WAYS)("%s: a session survives, and sees what the new settings select", async (way) => {
    const sandbox = createSandbox();
    const server = await start(sandbox);
    const before = await connectHttp(server.url, way, { token: ANN });
    expect(await listOf(before)).toMatch(/charts[^]*maps/);

    const file = sandbox.write(CONFIG, "skills:\n  exclude: [maps]\nscripts:\n  timeout_seconds: 5\n");
    await waitUntil("the settings are reloaded", () =>
      server.stderr().includes("settings reloaded: skills.exclude, scripts.timeout_seconds"),
    );
    await waitUntil("the session was notified", () => before.announced() > 0);
    const listed = await listOf(before);
    expect(listed).toContain("charts");
    expect(listed).not.toContain("maps");

    // Replaced at once, as editors and mounted volumes do it. A session keeps its tools; the next one has the new ones.
    renameSync(sandbox.write("next.yaml", "server:\n  tools: [loader, catalog]\n"), file);
    await waitUntil("they are reloaded again", () => server.stderr().includes("server.tools"));
    const after = await connectHttp(server.url, way, { token: ANN });
    expect(await listOf(after)).toContain("skills.list");
    expect(await listOf(before)).toMatch(/charts[^]*maps/);
  });

  test("SIGHUP reads tokens and settings at once, and ends no session of a token that remains", async () => {
    const sandbox = createSandbox();
    const server = await startBin(sandbox);
    const ann = await Promise.all(WAYS.map((way) => connectHttp(server.url, way, { token: ANN })));
    await expect(connectHttp(server.url, "2025-11-25", { token: BOB })).rejects.toThrow();

    writeTokens(sandbox, `ann:${ANN}`, `bob:${BOB}`);
    server.child.kill("SIGHUP");
    await waitUntil("the tokens are reloaded", () => server.stderr().includes("2 tokens"));
    const bob = await connectHttp(server.url, "2025-11-25", { token: BOB });
    await expect
      .poll(() => linesWith(server.stderr(), "SIGHUP"))
      .toEqual(["reloading tokens and settings: SIGHUP"]);
    for (const connection of [...ann, bob]) expect(await listOf(connection)).toContain("charts");
  });

  test("a broken file changes nothing: one error line names the file, the line and the way out", async () => {
    const sandbox = createSandbox();
    const file = sandbox.write(CONFIG, "skills:\n  exclude: [maps]\n");
    const server = await start(sandbox);
    const session = await connectHttp(server.url, "2025-11-25", { token: ANN });
    sandbox.write(CONFIG, "skills:\n  exclude: []\nscripts:\n  timeout_seconds: soon\n");
    await waitUntil("it is reported", () => server.stderr().includes("not reloaded"));
    const [line, ...others] = linesWith(server.stderr(), "not reloaded");
    expect(others).toEqual([]);
    expect(line).toBe(
      `settings not reloaded, the previous ones stay in use: ${file}:4: scripts.timeout_seconds is "soon", but must be a whole number from 1 to 86400.`,
    );
    expect(server.stderr()).toContain(" error settings not reloaded");
    expect(await listOf(session)).not.toContain("maps");

    const tokens = writeTokens(sandbox, `ann:${ANN}`, "bob");
    await waitUntil("that is reported too", () => server.stderr().includes("token file not reloaded"));
    expect(linesWith(server.stderr(), "token file not reloaded")).toEqual([
      `token file not reloaded, the previous tokens remain valid: ${tokens}:2 is not name:token, name:token:scope,scope or name:token:scope,scope:profile. A token may contain letters, digits and -._~+/= only.`,
    ]);
    expect(await listOf(session)).toContain("charts");

    sandbox.write(CONFIG, "skills:\n  exclude: [charts]\n");
    // The list, not the log: a file that is read while it is written is empty for a moment.
    await waitUntil("the fixed file counts", async () => !(await listOf(session)).includes("charts"));
  });

  test("a setting that needs a restart is named once; one that a flag overrides is not", async () => {
    const sandbox = createSandbox();
    const server = await start(sandbox, ["--exclude", "maps"]);
    const file = sandbox.write(
      CONFIG,
      "server:\n  port: 5000\n  host: 127.0.0.2\n  refresh_interval_ms: 9000\n  redis: redis://:secret@127.0.0.1:1\nskills:\n  exclude: [charts]\nanalytics:\n  history: false\n",
    );
    await waitUntil("the last one is named", () => server.stderr().includes("server.redis has changed"));
    const warnings = [
      `${file}:3: server.host has changed; restart the server to use it`,
      `${file}:4: server.refresh_interval_ms has changed; restart the server to use it`,
      `${file}:9: analytics.history has changed; restart the server to use it`,
      `${file}:5: server.redis has changed; restart the server to use it`,
    ];
    await expect.poll(() => linesWith(server.stderr(), "restart the server")).toEqual(warnings);
    sandbox.write(
      CONFIG,
      "server: {host: 127.0.0.2, refresh_interval_ms: 9000, redis: 'redis://:secret@127.0.0.1:1'}\nanalytics: {history: false}\n",
    );
    await waitUntil("it is read again", () => server.stderr().includes("settings reloaded: no change"));
    expect(linesWith(server.stderr(), "restart the server")).toEqual(warnings);
    expect(server.stderr()).not.toContain("secret");
  });

  test("settings with which a restart would fail are refused", async () => {
    const sandbox = createSandbox();
    const server = await start(sandbox);
    sandbox.write(CONFIG, "skills:\n  include: ['@']\n");
    await waitUntil("it is reported", () => server.stderr().includes("settings not reloaded"));
    const session = await connectHttp(server.url, "2026-07-28", { token: ANN });
    expect(await listOf(session)).toMatch(/charts[^]*maps/);
  });
});
