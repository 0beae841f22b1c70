import { beforeAll, describe, expect, test } from "vitest";
import { connectHttp } from "../support/connect-http.ts";
import { createEventSink } from "../support/event-sink.ts";
import { runCommand, serveInProcess } from "../support/in-process.ts";
import { redisForTest } from "../support/open-redis.ts";
import { HAS_REDIS, startRedis } from "../support/redis-server.ts";
import { type AtEnd, atEndOfGroup, createSandbox, MEMORY_FOLDER } from "../support/sandbox.ts";
import { serve } from "../support/serve.ts";
import { waitUntil } from "../support/wait-until.ts";

const ANN = "ann-0123456789abcdef";
const BOB = "bob-0123456789abcdef";
const OPS = "ops-0123456789abcdef";
const DIGEST = /^sha256:[0-9a-f]{16}$/;

interface Usage {
  readonly scope?: string;
  readonly totals: { readonly events: number; readonly served: number };
  readonly mostUsed: readonly { readonly skill: string; readonly count: number }[];
  readonly noMatch: readonly { readonly query: string }[];
  readonly clients: readonly { readonly name: string; readonly loaded: number }[];
  readonly callers: readonly { readonly name: string; readonly loaded: number }[];
}

interface ReplicaOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: string;
  /** How it is started: in this process, where only one can be, unless told otherwise. */
  readonly by?: typeof serve;
  readonly atEnd?: AtEnd;
}

/** A replica with a home of its own, as on another machine. */
async function replica(
  redis: string,
  { env = {}, settings = "", by = serveInProcess, atEnd }: ReplicaOptions = {},
) {
  const sandbox = createSandbox(MEMORY_FOLDER, atEnd);
  sandbox.skill("project/.claude/skills/pdf", { description: "Reads PDF files." });
  sandbox.write("home/.skills-mcp/config.yaml", settings);
  const tokens = sandbox.write("tokens", `ann:${ANN}\nbob:${BOB}\nops:${OPS}:skills:admin\n`);
  const url = await by(sandbox, ["--token-file", tokens, "--redis", `${redis}?timeout=2000`], env, atEnd);
  const usage = async (token: string): Promise<Usage> => {
    const response = await fetch(`${url}/api/v1/usage`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Usage;
  };
  return { sandbox, url, usage };
}

/** Two replicas of one fleet; one of them is a process of its own. */
function twoReplicas(redis: string, options: Omit<ReplicaOptions, "by"> = {}) {
  return Promise.all([replica(redis, { ...options, by: serve }), replica(redis, options)]);
}

async function load(url: string, token: string, name: string): Promise<void> {
  const { client } = await connectHttp(url, "2026-07-28", { token });
  await client.callTool({ name: "skill", arguments: { name } });
}

describe.skipIf(!HAS_REDIS)("usage of a fleet", () => {
  test("every replica and `stats --redis` show what all of them served, each caller their own, the endpoint all of it once", async () => {
    const server = await redisForTest();
    const sink = await createEventSink();
    const [a, b] = await twoReplicas(server.url, { env: { ANALYTICS_ENDPOINT: sink.url } });
    await load(a.url, ANN, "pdf");
    await load(b.url, ANN, "pdf");
    await load(b.url, BOB, "pfd");
    await waitUntil("both know everything", async () => {
      const all = await Promise.all([a.usage(OPS), b.usage(OPS)]);
      return all.every(({ totals }) => totals.events === 3);
    });
    const all = await a.usage(OPS);
    expect(all).toMatchObject({
      scope: "fleet",
      totals: { served: 2 },
      mostUsed: [{ skill: "pdf", count: 2 }],
    });
    expect(all.clients).toMatchObject([{ name: "test", loaded: 2 }]);
    expect(all.callers).toMatchObject([
      { name: expect.stringMatching(DIGEST) as string, loaded: 2 },
      { name: expect.stringMatching(DIGEST) as string, loaded: 0 },
    ]);
    expect(await b.usage(ANN)).toMatchObject({
      totals: { events: 2 },
      noMatch: [],
      callers: [{ loaded: 2 }],
    });
    expect(await a.usage(BOB)).toMatchObject({ totals: { events: 1 }, noMatch: [{ query: "pfd" }] });

    const elsewhere = createSandbox();
    for (const [args, more] of [
      [["--redis", server.url], {}],
      [["--redis"], { SKILLS_REDIS: server.url }],
    ] as const) {
      const { stdout } = await runCommand(elsewhere, ["stats", "--json", ...args], { env: more });
      expect(JSON.parse(stdout)).toMatchObject({ scope: "fleet", totals: { events: 3, served: 2 } });
    }
    expect((await runCommand(elsewhere, ["stats", "--redis", server.url])).stdout).toContain(
      "Usage of all replicas from",
    );

    await waitUntil("the endpoint has them", () => sink.taken().length >= 3);
    const taken = sink.taken() as readonly { readonly event_id?: string; readonly caller?: string }[];
    expect(new Set(taken.map(({ event_id }) => event_id)).size).toBe(3);
    // The same caller has the same pseudonym on every replica.
    expect(new Set(taken.map(({ caller }) => caller)).size).toBe(2);
    for (const { caller } of taken) expect(caller).toMatch(DIGEST);
  });

  test("names of callers are in Redis only where the operator says so", async () => {
    const server = await redisForTest();
    const { url, usage } = await replica(server.url, { settings: "analytics: {caller: full}\n" });
    await load(url, ANN, "pdf");
    await waitUntil("it is counted", async () => (await usage(OPS)).totals.events === 1);
    expect((await usage(OPS)).callers).toMatchObject([{ name: "ann" }]);
    expect((await usage(ANN)).totals.events).toBe(1);
    expect((await usage(BOB)).totals.events).toBe(0);
  });

  test("without Redis, the dashboard shows what this replica served", async () => {
    const server = await redisForTest();
    const { url, usage } = await replica(server.url);
    await load(url, ANN, "pdf");
    await waitUntil("it is counted", async () => (await usage(OPS)).totals.events === 1);
    await server.stop();
    const { scope, totals } = await usage(OPS);
    expect({ scope, events: totals.events }).toEqual({ scope: undefined, events: 1 });
  });
});

describe.skipIf(!HAS_REDIS)("a limit counts on all replicas", () => {
  let [a, b] = ["", ""];
  const atEnd = atEndOfGroup();
  beforeAll(async () => {
    const server = await startRedis();
    atEnd(() => server.close());
    const [first, second] = await twoReplicas(server.url, { atEnd });
    [a, b] = [first.url, second.url];
  });

  test("one refresh in a minute", async () => {
    const refresh = (url: string) =>
      fetch(`${url}/api/v1/refresh`, {
        method: "POST",
        headers: { authorization: `Bearer ${OPS}`, "x-skills-mcp": "1", "content-type": "application/json" },
        body: "{}",
      });
    expect((await refresh(a)).status).toBe(200);
    const refused = await refresh(b);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(30);
  });

  test("sessions of a caller are limited on all replicas together, and a session that ends makes room", async () => {
    const initialize = (url: string) =>
      fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ANN}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-11-25",
            capabilities: {},
            clientInfo: { name: "t", version: "1" },
          },
        }),
      });
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) {
      const opened = await initialize(n % 2 === 0 ? a : b);
      expect(opened.status).toBe(200);
      await opened.text();
      ids.push(opened.headers.get("mcp-session-id") ?? "");
    }
    for (const url of [a, b]) {
      const refused = await initialize(url);
      expect(refused.status).toBe(503);
      expect(await refused.text()).toContain("You have reached the limit of 20 sessions.");
    }
    // It was opened on the other one.
    const ended = await fetch(`${b}/mcp`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ANN}`, "mcp-session-id": ids[0] ?? "" },
    });
    expect(ended.status).toBe(200);
    await waitUntil("there is room", async () => (await initialize(a)).status === 200);
  });
});

test("stats --redis says what is wrong with the address, or that Redis does not answer", async () => {
  const sandbox = createSandbox();
  const run = async (...args: string[]) => {
    const { code, stderr } = await runCommand(sandbox, ["stats", ...args]);
    return [code, stderr];
  };
  expect(await run("--redis")).toEqual([2, expect.stringContaining("--redis needs the address of a Redis")]);
  expect(await run("--redis", "http://:secret@x")).toEqual([2, expect.not.stringContaining("secret")]);
  expect(await run("--redis", "redis://:secret@127.0.0.1:9")).toEqual([
    1,
    expect.stringMatching(/Redis at redis:\/\/127\.0\.0\.1:9 does not answer: (?!.*secret)/),
  ]);
  expect(await run("redis://x")).toEqual([2, expect.stringContaining("stats takes no arguments")]);
  expect(await run("--redis", "redis://x", "y")).toEqual([2, expect.stringContaining("but got 'y'")]);
});
