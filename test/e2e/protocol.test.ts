import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runBin, spawnBin } from "../support/bin.ts";
import { ERAS, loadSkill } from "../support/client.ts";
import { connectInProcess, exchangeInProcess, shareConnection } from "../support/in-process.ts";
import { messagesOf } from "../support/log.ts";
import { type AtEnd, createSandbox, MEMORY_FOLDER } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const request = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const initialize = (protocolVersion: string): string =>
  request(1, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } });
const INITIALIZED = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`;

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

interface Answer {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

const answersIn = (stdout: string): readonly Answer[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Answer);

function isBatch(line: Answer | readonly Answer[]): line is readonly Answer[] {
  return Array.isArray(line);
}

describe.each(ERAS)("errors, protocol %s", (era) => {
  const withSkill = (atEnd: AtEnd) => {
    const sandbox = createSandbox(MEMORY_FOLDER, atEnd);
    sandbox.skill("project/.claude/skills/pdf");
    return sandbox;
  };
  const server = shareConnection(withSkill, { era });

  test.each([
    ["no arguments", undefined, /'name' is required/],
    ["no name", {}, /'name' is required/],
    ["an empty name", { name: "" }, /'name': Skill name cannot be empty/],
    ["a number", { name: 5 }, /'name'/],
    ["an unknown parameter", { name: "x", other: 1 }, /unknown parameter 'other'/],
    ["Claude Code's parameter", { command: "pdf" }, /Use `name` instead of `command`/],
  ])("seed 001: invalid parameter, %s, is -32602 and names the parameter", async (_what, args, message) => {
    const { client } = server();
    const params = args === undefined ? { name: "skill" } : { name: "skill", arguments: args };
    const error: unknown = await client.callTool(params).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32602 });
    expect(String(error)).toMatch(message);
  });

  test("an unknown tool is -32602", async () => {
    const { client } = server();
    await expect(client.callTool({ name: "nope", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("This server has skill."),
    });
  });

  test("an argument of find_skills that is out of range is refused", async () => {
    const { client } = server();
    for (const limit of [0, 26, 1.5]) {
      const call = client.callTool({ name: "find_skills", arguments: { task: "x", limit } });
      await expect(call).rejects.toMatchObject({ code: -32602 });
    }
  });

  test.each(["../../../etc/passwd", ".ssh/id_rsa", "a\\b", "..", "a\0b", "/etc/passwd"])(
    "seed 002: path traversal, the name %j is refused",
    async (name) => {
      const { text, isError } = await loadSkill(server(), name);
      expect(isError).toBe(true);
      expect(text).toContain("is not a skill name");
    },
  );

  test("seed 001: internal errors, a file that cannot be read any more is an error with the reason, and is logged", async () => {
    const sandbox = createSandbox();
    const file = sandbox.skill("project/.claude/skills/pdf");
    const connection = await connectInProcess(sandbox, { era, args: ["mcp", "--no-refresh", "--no-watch"] });
    await connection.client.listTools();
    rmSync(file);
    mkdirSync(file);
    const { text, isError } = await loadSkill(connection, "pdf");
    expect(isError).toBe(true);
    expect(text).toContain(`${file} cannot be served. It is not a regular file`);
    await waitUntil("the log line", () => connection.log().includes(`${file} cannot be served`));
  });

  test("the server says its name and the package's version", async () => {
    const { client } = server();
    expect(client.getServerVersion()).toMatchObject({ name: "skills-mcp", version });
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: true });
  });
});

describe("the wire", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "a client of %s is answered in kind",
    async (version) => {
      const { stdout } = await exchangeInProcess(createSandbox(), ["mcp"], initialize(version), 1);
      expect(answersIn(stdout)[0]?.result?.["protocolVersion"]).toBe(version);
    },
  );

  test("requests that stand before the end of stdin are all answered, on stdout alone", () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const call = request(3, "tools/call", { name: "skill", arguments: { name: "pdf" } });
    const input = initialize("2025-06-18") + INITIALIZED + request(2, "tools/list") + call;
    const { code, stdout, stderr } = runBin(sandbox, [], { input });
    expect(code).toBe(0);
    expect(answersIn(stdout).map((answer) => answer.id)).toEqual([1, 2, 3]);
    expect(stderr).toMatch(/^\S+Z info {2}ready: 1 skill$/m);
    expect(stderr).toMatch(/^\S+Z info {2}shutting down: /m);
  });

  test("everything that a client asks in one breath is answered once", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const methods = ["tools/list", "ping", "prompts/list", "tools/list", "resources/list"];
    const asked = methods.map((method, index) => request(index + 2, method)).join("");
    const { stdout } = await exchangeInProcess(
      sandbox,
      [],
      initialize("2025-11-25") + INITIALIZED + asked,
      6,
    );
    const ids = answersIn(stdout).map((answer) => String(answer.id));
    expect(ids.toSorted().join(" ")).toBe("1 2 3 4 5 6");
  });

  test("a signal before the first list is answered ends the server as ever", async () => {
    const sandbox = createSandbox();
    const server = spawnBin(sandbox, ["mcp"]);
    server.child.stdin.write(initialize("2025-06-18") + INITIALIZED + request(2, "tools/list"));
    await waitUntil("it says hello", () => server.stdout() !== "");
    server.child.kill("SIGTERM");
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test("S18: on stdio a batch of 2025-03-26 is answered as one, broken JSON with -32700, a malformed initialize with -32602", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const call = { name: "skill", arguments: { name: "pdf" } };
    const batch = [
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: call },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 3, method: "ping" },
    ];
    const input = `${request(1, "initialize", { protocolVersion: 7 })}${initialize("2025-03-26")}${JSON.stringify(batch)}\n{broken\n`;
    const { code, stdout } = await exchangeInProcess(sandbox, [], input, 4);
    expect(code).toBe(0);
    const outcomeOf = ({ id, error }: Answer): string => `${id} ${error?.code ?? "answered"}`;
    const lines = answersIn(stdout) as readonly (Answer | readonly Answer[])[];
    const outcomes = lines.map((line) => (isBatch(line) ? line.map(outcomeOf).sort() : outcomeOf(line)));
    expect(outcomes).toHaveLength(4);
    expect(outcomes).toEqual(
      expect.arrayContaining(["1 -32602", "1 answered", "null -32700", ["2 answered", "3 answered"]]),
    );
    expect(stdout).toContain("Loading: pdf");
  });

  test("junk on stdin does no harm", async () => {
    const input = `not json\n{"jsonrpc":"2.0"}\n[]\n\n${initialize("2025-06-18")}${request(2, "no/such/method")}`;
    const { code, stdout } = await exchangeInProcess(createSandbox(), ["mcp"], input, 5);
    expect(code).toBe(0);
    expect(answersIn(stdout).find((answer) => answer.id === 1)?.result).toBeDefined();
    expect(answersIn(stdout).find((answer) => answer.id === 2)?.error?.code).toBe(-32601);
  });

  test("a line that is no message is reported in one short line", () => {
    const input = '{"jsonrpc":"2.0"}\nnull\n';
    const { stderr } = runBin(createSandbox(), ["mcp"], { input });
    const [first = "", second] = messagesOf(stderr)
      .split("\n")
      .filter((line) => line.includes("protocol:"));
    expect(first).toBe(
      "protocol: refused a message: Invalid Request: not a JSON-RPC request, response or notification",
    );
    expect(second).toBe(first);
  });

  test("a change that comes before 'initialized' is announced after it", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/first");
    const server = spawnBin(sandbox, ["mcp", "--refresh-interval", "100", "--no-watch"]);
    server.child.stdin.write(initialize("2025-06-18") + request(2, "tools/list"));
    await waitUntil("the first list", () => server.stdout().includes('"id":2'));
    sandbox.skill("project/.claude/skills/second");
    await waitUntil("the change is seen", () => server.stderr().includes("1 added"));
    expect(server.stdout()).not.toContain("list_changed");
    server.child.stdin.write(INITIALIZED);
    await waitUntil("the notice", () => server.stdout().includes("notifications/tools/list_changed"));
    server.child.stdin.end();
    expect(await server.exit).toMatchObject({ code: 0 });
  });
});

describe("shutdown", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "seed 001: handle %s, with one line and exit code 0",
    async (signal) => {
      const server = spawnBin(createSandbox(), ["mcp"]);
      server.child.stdin.write(initialize("2025-06-18"));
      await waitUntil("the server is up", () => server.stdout() !== "" && server.stderr().includes("ready"));
      server.child.kill(signal);
      expect(await server.exit).toEqual({ code: 0, signal: null });
      expect(server.stderr().match(/shutting down: SIG/g)).toHaveLength(1);
    },
  );

  test("the end of stdin ends the server, although an interval and watchers are on", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const server = spawnBin(sandbox, ["mcp", "--refresh-interval", "50", "--log-level", "debug"]);
    await waitUntil("the server is up", () => server.stderr().includes("refreshed"));
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });

  test("a client that dies without a word ends the server too", async () => {
    const server = spawnBin(createSandbox(), ["mcp"]);
    await waitUntil("the server is up", () => server.stderr().includes("ready"));
    server.child.stdout.destroy();
    server.child.stdin.write(initialize("2025-06-18"));
    expect((await server.exit).code).toBe(0);
  });
});

describe("initialize", () => {
  const withCapabilities = (capabilities: object): string =>
    request(7, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities,
      clientInfo: { name: "raw", version: "1" },
    });

  test("is answered once and alike, whether before or after the SDK is loaded", async () => {
    const sandbox = createSandbox();
    // The SDK answers whoever declares what we do not know.
    const answersTo = async (capabilities: object) =>
      answersIn((await exchangeInProcess(sandbox, [], withCapabilities(capabilities), 1)).stdout);
    const [early, late] = [await answersTo({}), await answersTo({ unheardOf: {} })];
    expect(early).toHaveLength(1);
    expect(early).toEqual(late);
  });

  test("that arrives in pieces, and late, is answered", async () => {
    const server = spawnBin(createSandbox(), []);
    const [first, ...rest] = withCapabilities({}).match(/[\s\S]{1,40}/g) ?? [];
    const write = (piece: string) => new Promise((resolve) => server.child.stdin.write(piece, resolve));
    await write(first ?? "");
    await waitUntil("the server is ready", () => server.stderr().includes("ready"));
    for (const piece of rest) await write(piece);
    await waitUntil("the answer", () => server.stdout().includes("\n"));
    server.child.stdin.end(request(8, "ping"));
    await server.exit;
    expect(answersIn(server.stdout()).map(({ id }) => id)).toEqual([7, 8]);
  });
});
