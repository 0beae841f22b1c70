import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { answeredTooOften, type Frame, fuzzedFrames } from "../../../../../test/support/frames.ts";
import {
  INITIALIZE,
  metric,
  modernHeaders,
  modernRequest,
  openSession,
  post,
} from "../../../../../test/support/http-requests.ts";
import { createSandbox } from "../../../../../test/support/sandbox.ts";
import { openHttp } from "../../open-http.ts";
import { createCrowd } from "./crowd.ts";

const FRAMES = Number(process.env["SKILLS_MCP_FRAMES"] ?? 120);
const CONNECTIONS = 64;
/** Plenty for thousands of requests on a machine that has much else to do. */
const TIMEOUT_MS = Math.max(180_000, FRAMES * 30);
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** How often each id was answered, and with which statuses. */
async function sendAll(
  url: string,
  frames: readonly Frame[],
  headersOf: (frame: Frame) => Record<string, string>,
) {
  const crowd = createCrowd(url, CONNECTIONS);
  const answered = new Map<string, number>();
  const statuses = new Set<number>();
  await crowd.each(frames, async (frame) => {
    const { status, text } = await crowd.ask({
      body: frame.text,
      headers: headersOf(frame),
      // A subscription stays open; its first words are enough.
      until: "subscriptions/acknowledged",
    });
    statuses.add(status);
    for (const [, id = ""] of text.matchAll(/"id":"(f\d+)"/g)) answered.set(id, (answered.get(id) ?? 0) + 1);
  });
  return { answered, statuses };
}

/** The ids of those frames that are requests as they should be, whatever they ask for. */
function requestIds(frames: readonly Frame[]): readonly string[] {
  return frames.flatMap(({ text }) => {
    try {
      const { jsonrpc, id, method, params = {} } = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const isObject = typeof params === "object" && params !== null && !Array.isArray(params);
      // A second handshake is refused before it has an id.
      const isRequest = jsonrpc === "2.0" && typeof method === "string" && method !== "initialize";
      return isRequest && isObject && typeof id === "string" && /^f\d+$/.test(id) ? [id] : [];
    } catch {
      return [];
    }
  });
}

describe("fuzzed frames", { timeout: TIMEOUT_MS }, () => {
  test("in a session: no crash, no server error, and each id is answered once", async () => {
    const { url } = await openHttp(createSandbox());
    const session = await openSession(url);
    const frames = fuzzedFrames(FRAMES, 20_260_728, undefined);
    const { answered, statuses } = await sendAll(url, frames, () => ({ "mcp-session-id": session }));
    expect(answeredTooOften(frames, answered)).toEqual([]);
    expect(requestIds(frames).filter((id) => !answered.has(id))).toEqual([]);
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(answered.size).toBeGreaterThan(FRAMES / 20);
    await openSession(url);
  });

  test("in the modern era: the same", async () => {
    const { url } = await openHttp(createSandbox());
    const frames = fuzzedFrames(FRAMES, 20_251_125, ENVELOPE);
    const { answered, statuses } = await sendAll(url, frames, ({ text }) => {
      const [, method = "ping"] = /"method":"([a-z/]+)"/.exec(text) ?? [];
      const [, name] = /"name":"([a-z_]+)"/.exec(text) ?? [];
      return modernHeaders(method, name);
    });
    expect(answeredTooOften(frames, answered)).toEqual([]);
    expect(requestIds(frames).filter((id) => !answered.has(id))).toEqual([]);
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(answered.size).toBeGreaterThan(FRAMES / 20);
    const list = await post(`${url}/mcp`, modernRequest(1, "tools/list"), modernHeaders("tools/list"));
    expect(list.status).toBe(200);
  });
});

const SESSIONS = Number(process.env["SKILLS_MCP_SESSIONS"] ?? 300);
const CAP = 40;
/** An abandoned session is some 35 KiB: were they all kept, it would be twice as much. */
const MOST_GROWTH_BYTES = SESSIONS * 16 * 1024;
const body = JSON.stringify(INITIALIZE);

/** What keeps the process busy, such as sockets and watches, and what its memory holds. */
function usage(): { readonly handles: number; readonly bytes: number } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return { handles: process.getActiveResourcesInfo().length, bytes: process.memoryUsage().heapUsed };
}

describe("many sessions", { timeout: TIMEOUT_MS }, () => {
  test("that nobody closes: as many are open as may be, the rest are told when to come back", async () => {
    const { url } = await openHttp(createSandbox(), { http: { limits: { sessions: CAP } } });
    const crowd = createCrowd(url, 300);
    const statuses = new Map<number, number>();
    const opened: string[] = [];
    await crowd.each(Array.from({ length: SESSIONS }).keys(), async () => {
      const { status, header } = await crowd.ask({ body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) opened.push(header("mcp-session-id") ?? "");
      else expect(Number(header("retry-after"))).toBeGreaterThan(0);
    });
    expect(Object.fromEntries(statuses)).toEqual({ 200: CAP, 503: SESSIONS - CAP });
    expect(await metric(url, "skills_mcp_sessions")).toBe(CAP);
    expect((await fetch(`${url}/mcp`)).status).toBe(503);
    await crowd.ask({ method: "DELETE", headers: { "mcp-session-id": opened[0] ?? "" } });
    await openSession(url);
  });

  test("one after another: none stays, nor anything that it opened", async () => {
    const { url } = await openHttp(createSandbox(), { http: { limits: { sessions: CONNECTIONS } } });
    const crowd = createCrowd(url, CONNECTIONS);
    const openAndClose = async (): Promise<void> => {
      const opened = await crowd.ask({ body });
      const headers = { "mcp-session-id": opened.header("mcp-session-id") ?? "" };
      const closed = await crowd.ask({ method: "DELETE", headers });
      expect([opened.status, closed.status]).toEqual([200, 200]);
    };
    await crowd.each(Array.from({ length: CONNECTIONS }).keys(), openAndClose);
    const before = usage();
    await crowd.each(Array.from({ length: SESSIONS }).keys(), openAndClose);
    expect(await metric(url, "skills_mcp_sessions")).toBe(0);
    const after = usage();
    expect(after.handles - before.handles).toBeLessThan(10);
    expect(after.bytes - before.bytes).toBeLessThan(MOST_GROWTH_BYTES);
  });
});
