import { Agent, request } from "node:http";
import { describe, expect, test } from "vitest";
import { answeredTooOften, type Frame, fuzzedFrames } from "../support/frames.ts";
import { createSandbox } from "../support/sandbox.ts";
import { modernHeaders, modernRequest, openHttp, openSession, post } from "./open-http.ts";

const FRAMES = 2_500;
const AT_ONCE = 16;
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** How often each id was answered. Plain requests: thousands of them through `fetch` take several times as long. */
async function sendAll(
  url: string,
  frames: readonly Frame[],
  headersOf: (frame: Frame) => Record<string, string>,
) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const answered = new Map<string, number>();
  const statuses = new Set<number>();
  const queue = [...frames];
  const work = async (): Promise<void> => {
    for (let frame = queue.pop(); frame !== undefined; frame = queue.pop()) {
      const { status, text } = await ask(agent, `${url}/mcp`, frame.text, headersOf(frame));
      statuses.add(status);
      for (const [, id = ""] of text.matchAll(/"id":"(f\d+)"/g))
        answered.set(id, (answered.get(id) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return { answered, statuses };
}

function ask(
  agent: Agent,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> {
  const accept = "application/json, text/event-stream";
  const all = { "content-type": "application/json", accept, ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent, headers: all, timeout: 20_000 }, (response) => {
      let text = "";
      const done = (): void => resolve({ status: response.statusCode ?? 0, text });
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        if (!text.includes("subscriptions/acknowledged")) return;
        // A subscription stays open; its first words are enough.
        done();
        response.destroy();
      });
      response.on("end", done);
    });
    asked.on("timeout", () => reject(new Error(`No answer: ${body}`)));
    asked.on("error", reject).end(body);
  });
}

describe("fuzzed frames", () => {
  test("in a session: no crash, no server error, and each id is answered at most once", async () => {
    const { url } = await openHttp(createSandbox());
    const session = await openSession(url);
    const frames = fuzzedFrames(FRAMES, 20_260_728, undefined);
    const { answered, statuses } = await sendAll(url, frames, () => ({ "mcp-session-id": session }));
    expect(answeredTooOften(frames, answered)).toEqual([]);
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
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(answered.size).toBeGreaterThan(FRAMES / 20);
    const list = await post(`${url}/mcp`, modernRequest(1, "tools/list"), modernHeaders("tools/list"));
    expect(list.status).toBe(200);
  });
});
