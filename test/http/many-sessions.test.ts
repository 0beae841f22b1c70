import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { createSandbox } from "../support/sandbox.ts";
import { createCrowd } from "./crowd.ts";
import { INITIALIZE, openHttp, openSession } from "./open-http.ts";

const SESSIONS = Number(process.env["SKILLS_MCP_SESSIONS"] ?? 1_000);
const CAP = 40;
const CONNECTIONS = 64;
/** An abandoned session is some 35 KiB: were they all kept, it would be several times as much. */
const MOST_GROWTH_BYTES = SESSIONS * 8 * 1024;
const body = JSON.stringify(INITIALIZE);

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

/** What keeps the process busy, such as sockets and watches, and what its memory holds. */
function usage(): { readonly handles: number; readonly bytes: number } {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  return { handles: process.getActiveResourcesInfo().length, bytes: process.memoryUsage().heapUsed };
}

describe("thousands of sessions", () => {
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
