import { writeFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { INITIALIZE, openSession, post } from "../../../../../test/support/http-requests.ts";
import { HAS_REDIS } from "../../../../../test/support/redis-server.ts";
import { createSandbox, type Sandbox, skillText } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import type { ServerFactory } from "../../../src/http/transports/sessions.ts";
import { listen } from "../listen.ts";
import { openReplicas, testRedis } from "./open-replicas.ts";

const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" } as const;

function shop(): Sandbox {
  const sandbox = createSandbox();
  sandbox.skill("project/.claude/skills/pdf");
  return sandbox;
}

async function call(url: string, session: string, body: object = LIST, headers = {}) {
  const answer = await post(`${url}/mcp`, body, { "mcp-session-id": session, ...headers });
  const text = await answer.text();
  return { status: answer.status, text };
}

/** How many responses of MCP have ended. */
async function answeredBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^skills_mcp_http_requests_total\{route="mcp",status="200"\} (\d+)$/m.exec(text)?.[1]);
}

describe.skipIf(!HAS_REDIS)("a session of the older era on several replicas", () => {
  test("is answered by any of them, with the client that opened it", async () => {
    const redis = await testRedis();
    const [one, two, three] = await openReplicas(shop(), redis, 3);
    const session = await openSession(one?.url ?? "");
    for (const replica of [two, three, one, two]) {
      const { status, text } = await call(replica?.url ?? "", session);
      expect(status).toBe(200);
      expect(text).toContain('"name":"skill"');
    }
    // Redis has no id of a session.
    expect(redis.cli("KEYS", "*")).toContain("session:");
    expect(redis.cli("KEYS", "*")).not.toContain(session);
  });

  test("the initialized notification may arrive anywhere", async () => {
    const redis = await testRedis();
    const sandbox = shop();
    const [one, two] = await openReplicas(sandbox, redis, 2, { app: { watch: false } });
    const opened = await post(`${one?.url}/mcp`, INITIALIZE);
    await opened.text();
    const session = opened.headers.get("mcp-session-id") ?? "";
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await call(two?.url ?? "", session, initialized)).status).toBe(202);
    const stream = await listen(one?.url ?? "", session);
    sandbox.skill("project/.claude/skills/csv");
    await Promise.all([one?.services.skills.refresh(), two?.services.skills.refresh()]);
    await waitUntil("the change is announced", () => stream.notices().length === 1);
  });

  test("ends everywhere, and stays ended", async () => {
    const redis = await testRedis();
    const [one, two, three] = await openReplicas(shop(), redis, 3);
    const session = await openSession(one?.url ?? "");
    expect((await call(two?.url ?? "", session)).status).toBe(200);
    const ended = await fetch(`${three?.url}/mcp`, {
      method: "DELETE",
      headers: { "mcp-session-id": session },
    });
    expect(ended.status).toBe(200);
    for (const replica of [one, two, three])
      await waitUntil(
        "the session ended",
        async () => (await call(replica?.url ?? "", session)).status === 404,
      );
  });

  test("belongs to its caller, on every replica, with and without Redis", async () => {
    const redis = await testRedis();
    const sandbox = shop();
    const file = sandbox.write("tokens", "ann:0123456789abcdef\nbob:fedcba9876543210\n");
    const auth = { tokenFile: file, oauth: undefined };
    const [one, two] = await openReplicas(sandbox, redis, 2, { auth, timeoutMs: 300 });
    const ann = { authorization: "Bearer 0123456789abcdef" };
    const bob = { authorization: "Bearer fedcba9876543210" };
    const session = await openSession(one?.url ?? "", ann);
    expect((await call(two?.url ?? "", session, LIST, bob)).status).toBe(404);
    await redis.stop();
    await waitUntil("the outage is noticed", () => two?.fleet.redis.state().state === "degraded");
    expect((await call(two?.url ?? "", session, LIST, bob)).status).toBe(404);
    expect((await call(two?.url ?? "", session, LIST, ann)).status).toBe(200);
    await redis.start();
    await waitUntil("redis is back", () => two?.fleet.redis.state().state === "connected");
    // The token is removed where only one replica sees it.
    writeFileSync(file, "bob:fedcba9876543210\n");
    await waitUntil(
      "the session ended",
      async () => (await call(two?.url ?? "", session, LIST, ann)).status !== 200,
    );
  });

  test("goes on without Redis, and with a Redis that forgot everything", async () => {
    const redis = await testRedis();
    const [one, two, three] = await openReplicas(shop(), redis, 3, { timeoutMs: 300 });
    const before = await openSession(one?.url ?? "");
    await redis.stop();
    await waitUntil("the outage is noticed", () =>
      [one, two, three].every((replica) => replica?.fleet.redis.state().state === "degraded"),
    );
    const during = await openSession(two?.url ?? "");
    for (const session of [before, during])
      for (const replica of [one, two, three])
        expect((await call(replica?.url ?? "", session)).status).toBe(200);
    const unseen = await openSession(two?.url ?? "");
    await redis.start();
    await waitUntil("redis is back", () =>
      [one, two, three].every((replica) => replica?.fleet.redis.state().state === "connected"),
    );
    for (const session of [before, during, unseen])
      for (const replica of [one, two, three])
        expect((await call(replica?.url ?? "", session)).status).toBe(200);
    const forged = `${before.slice(0, -3)}AAA`;
    expect((await call(three?.url ?? "", forged)).status).toBe(404);
  });

  test("is forgotten when nobody uses it", async () => {
    const redis = await testRedis();
    const [one, two] = await openReplicas(shop(), redis, 2, { idleMs: 1_000 });
    const session = await openSession(one?.url ?? "");
    await waitUntil("the record expires", async () => !(await redis.ask("KEYS *")).includes("session:"));
    expect((await call(two?.url ?? "", session)).status).toBe(404);
  });

  test("a request is cancelled wherever it runs", async () => {
    const redis = await testRedis();
    let cancelled = 0;
    let running = 0;
    const factory: ServerFactory = () => {
      const mcp = new McpServer({ name: "slow", version: "1" }, { capabilities: { tools: {} } });
      mcp.server.setRequestHandler("tools/call", async (_request, { mcpReq: { signal } }) => {
        running++;
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
        });
        cancelled++;
        return { content: [] };
      });
      return mcp;
    };
    const [one, two] = await openReplicas(shop(), redis, 2, { http: { factory } });
    const session = await openSession(one?.url ?? "");
    const slow = call(one?.url ?? "", session, {
      jsonrpc: "2.0",
      id: 9,
      method: "tools/call",
      params: { name: "slow", arguments: {} },
    });
    await waitUntil("the request runs", () => running === 1);
    const notice = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
    expect((await call(two?.url ?? "", session, notice)).status).toBe(202);
    expect((await slow).text).not.toContain('"id":9');
    expect(cancelled).toBe(1);
  });
});

describe.skipIf(!HAS_REDIS)("the stream of a session on several replicas", () => {
  test("is told of a change once, and of what it missed on another replica", async () => {
    const redis = await testRedis();
    const sandbox = shop();
    const [one, two] = await openReplicas(sandbox, redis, 2, { app: { watch: false } });
    const change = async (name: string): Promise<void> => {
      sandbox.skill(`project/.claude/skills/${name}`);
      await Promise.all([one?.services.skills.refresh(), two?.services.skills.refresh()]);
    };
    const session = await openSession(one?.url ?? "");
    expect((await call(two?.url ?? "", session)).status).toBe(200);
    const first = await listen(one?.url ?? "", session);
    await change("csv");
    await waitUntil("the change is announced", () => first.notices().length > 0);
    expect((await listen(two?.url ?? "", session)).status).toBe(409);
    const position = first.lastId();
    first.stop();
    await change("xml");
    const second = await listen(two?.url ?? "", session, position);
    expect(second.status).toBe(200);
    await waitUntil("the missed change is announced", () => second.notices().length > 0);
    const missed = second.notices().length;
    await change("yaml");
    await waitUntil("the next change is announced", () => second.notices().length === missed + 1);
    expect(first.notices().length).toBe(1);
  });

  test("of a request that broke is continued on another replica, before and after the answer", async () => {
    const redis = await testRedis();
    const finish: (() => void)[] = [];
    const factory: ServerFactory = () => {
      const mcp = new McpServer({ name: "slow", version: "1" }, { capabilities: { tools: {} } });
      mcp.server.setRequestHandler("tools/call", async () => {
        await new Promise<void>((resolve) => {
          finish.push(resolve);
        });
        return { content: [{ type: "text", text: "finished" }] };
      });
      return mcp;
    };
    const [one, two] = await openReplicas(shop(), redis, 2, { http: { factory } });
    const session = await openSession(one?.url ?? "");
    /** Begins a call on the first replica, and is gone with the id of its first event. */
    const breakOff = async (id: number): Promise<string> => {
      const abort = new AbortController();
      const body = { jsonrpc: "2.0", id, method: "tools/call", params: { name: "slow", arguments: {} } };
      const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
      const answer = await post(`${one?.url}/mcp`, body, headers, abort.signal);
      const reader = answer.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      await waitUntil("the call runs", () => finish.length === id);
      const before = await answeredBy(one?.url ?? "");
      abort.abort();
      // Before that, an answer would count as delivered.
      await waitUntil("the break is noticed", async () => (await answeredBy(one?.url ?? "")) > before);
      return /^id: (.+)$/m.exec(Buffer.from(value ?? []).toString())?.[1] ?? "";
    };
    const early = await listen(two?.url ?? "", session, await breakOff(1));
    expect(early.status).toBe(200);
    finish[0]?.();
    await waitUntil("the answer arrives", () => early.text().includes("finished"));

    const position = await breakOff(2);
    finish[1]?.();
    // Shut down in an orderly way, it leaves what it could not deliver.
    await one?.server.close();
    const late = await listen(two?.url ?? "", session, position);
    expect(late.status).toBe(200);
    await waitUntil("the answer arrives", () => late.text().includes("finished"));
    expect(late.text().match(/"id":2/g)).toHaveLength(1);
    expect(early.text()).not.toContain('"id":2');
  });

  test("an event id of another session is refused on every replica", async () => {
    const redis = await testRedis();
    const sandbox = shop();
    const [one, two] = await openReplicas(sandbox, redis, 2, { app: { watch: false } });
    const mine = await openSession(one?.url ?? "");
    const theirs = await openSession(one?.url ?? "");
    const stream = await listen(one?.url ?? "", theirs);
    writeFileSync(sandbox.skill("project/.claude/skills/csv"), skillText("csv", "Another."));
    await one?.services.skills.refresh();
    await waitUntil("the change is announced", () => stream.notices().length > 0);
    for (const replica of [one, two])
      expect((await listen(replica?.url ?? "", mine, stream.lastId())).status).toBe(400);
  });

  test("messages of HTTP+SSE reach the replica that has the stream", async () => {
    const redis = await testRedis();
    const [one, two] = await openReplicas(shop(), redis, 2);
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const answer = await fetch(`${one?.url}/sse`, { signal: abort.signal });
    let text = "";
    void (async () => {
      for await (const chunk of answer.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => {});
    await waitUntil("the address arrives", () => text.includes("sessionId="));
    const address = /data: (\S+)/.exec(text)?.[1] ?? "";
    expect((await post(`${two?.url}${address}`, INITIALIZE)).status).toBe(202);
    await waitUntil("the answer arrives on the stream", () => text.includes('"serverInfo"'));
    await post(`${two?.url}${address}`, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await post(`${one?.url}${address}`, LIST)).status).toBe(202);
    await waitUntil("the list arrives", () => text.includes('"id":7'));
    expect((await post(`${two?.url}/messages?sessionId=${two?.fleet.bus.replica}.none`, LIST)).status).toBe(
      404,
    );
    expect((await post(`${two?.url}/messages?sessionId=nobody.none`, LIST)).status).toBe(404);
    await redis.stop();
    await waitUntil("the outage is noticed", () => two?.fleet.redis.state().state === "degraded");
    expect((await post(`${two?.url}${address}`, LIST)).status).toBe(503);
    expect((await post(`${one?.url}${address}`, LIST)).status).toBe(202);
  });
});
