import { describe, expect, test } from "vitest";
import { answeredTooOften, type Frame, fuzzedFrames } from "../support/frames.ts";
import { createSandbox } from "../support/sandbox.ts";
import { createCrowd } from "./crowd.ts";
import { modernHeaders, modernRequest, openHttp, openSession, post } from "./open-http.ts";

const FRAMES = Number(process.env["SKILLS_MCP_FRAMES"] ?? 5_000);
const CONNECTIONS = 64;
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

describe("fuzzed frames", () => {
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
