import { describe, expect, onTestFinished, test } from "vitest";
import { INITIALIZE, openSession, post } from "../../../../../test/support/http-requests.ts";
import { HAS_REDIS } from "../../../../../test/support/redis-server.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../../test/support/wait-until.ts";
import { openReplicas, testRedis } from "./open-replicas.ts";

const ANN = { authorization: "Bearer 0123456789abcdef" };
const BOB = { authorization: "Bearer fedcba9876543210" };
const LISTEN = {
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    },
  },
} as const;

/** Two replicas on which each caller may have two sessions, and two subscriptions. */
async function twoReplicas() {
  const sandbox = createSandbox();
  const file = sandbox.write("tokens", "ann:0123456789abcdef\nbob:fedcba9876543210\n");
  const [one, two] = await openReplicas(sandbox, await testRedis(), 2, {
    auth: { tokenFile: file, oauth: undefined },
    http: { limits: { sessionsPerSubject: 2 } },
  });
  return { one: one?.url ?? "", two: two?.url ?? "" };
}

/** A response that stays open until `stop`, or one with an error. */
async function stream(open: (signal: AbortSignal) => Promise<Response>) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const answer = await open(abort.signal);
  return { status: answer.status, stop: () => abort.abort() };
}

const sse = (url: string, headers: Record<string, string>) =>
  stream((signal) => fetch(`${url}/sse`, { headers, signal }));
const subscription = (url: string, headers: Record<string, string>) =>
  stream((signal) => {
    const era = { "mcp-protocol-version": "2026-07-28", "mcp-method": LISTEN.method };
    return post(`${url}/mcp`, LISTEN, { ...era, ...headers }, signal);
  });

describe.skipIf(!HAS_REDIS)("limits of a caller on several replicas", () => {
  test("sessions of both older transports count together, wherever they were opened", async () => {
    const { one, two } = await twoReplicas();
    const first = await sse(one, ANN);
    expect(first.status).toBe(200);
    await openSession(two, ANN);
    for (const url of [one, two]) {
      expect((await sse(url, ANN)).status).toBe(503);
      expect((await post(`${url}/mcp`, INITIALIZE, ANN)).status).toBe(503);
    }
    expect((await sse(two, BOB)).status).toBe(200);
    first.stop();
    await waitUntil("its place is free", async () => (await sse(two, ANN)).status === 200);
  });

  test("subscriptions count on all replicas, and their end frees a place", async () => {
    const { one, two } = await twoReplicas();
    const first = await subscription(one, ANN);
    expect([first.status, (await subscription(two, ANN)).status]).toEqual([200, 200]);
    for (const url of [one, two]) expect((await subscription(url, ANN)).status).toBe(503);
    expect((await subscription(one, BOB)).status).toBe(200);
    first.stop();
    await waitUntil("its place is free", async () => (await subscription(two, ANN)).status === 200);
  });
});
