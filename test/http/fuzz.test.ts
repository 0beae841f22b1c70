import { describe, expect, test } from "vitest";
import { type Frame, fuzzedFrames } from "../support/frames.ts";
import { createSandbox } from "../support/sandbox.ts";
import { modernHeaders, modernRequest, openHttp, openSession, post } from "./open-http.ts";

const FRAMES = 2_500;
const AT_ONCE = 16;
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** How often each id was answered. */
async function sendAll(
  url: string,
  frames: readonly Frame[],
  headersOf: (frame: Frame) => Record<string, string>,
) {
  const answered = new Map<string, number>();
  const statuses = new Set<number>();
  const queue = [...frames];
  const work = async (): Promise<void> => {
    for (let frame = queue.pop(); frame !== undefined; frame = queue.pop()) {
      const abort = AbortSignal.timeout(10_000);
      const answer = await post(`${url}/mcp`, frame.text, headersOf(frame), abort);
      statuses.add(answer.status);
      // A subscription stays open; its first words are enough.
      const text = await firstWords(answer);
      for (const [, id = ""] of text.matchAll(/"id":"(f\d+)"/g))
        answered.set(id, (answered.get(id) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { answered, statuses };
}

async function firstWords(answer: Response): Promise<string> {
  const reader = answer.body?.getReader();
  let text = "";
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (value !== undefined) text += Buffer.from(value).toString();
    if (done || text.includes("subscriptions/acknowledged")) break;
  }
  await reader?.cancel().catch(() => {});
  return text;
}

describe("fuzzed frames", () => {
  test("in a session: no crash, no server error, and each id is answered at most once", async () => {
    const { url } = await openHttp(createSandbox());
    const session = await openSession(url);
    const frames = fuzzedFrames(FRAMES, 20_260_728, undefined);
    const { answered, statuses } = await sendAll(url, frames, () => ({ "mcp-session-id": session }));
    expect([...answered].filter(([, times]) => times !== 1)).toEqual([]);
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(answered.size).toBeGreaterThan(FRAMES / 10);
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
    expect([...answered].filter(([, times]) => times !== 1)).toEqual([]);
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(answered.size).toBeGreaterThan(FRAMES / 10);
    const list = await post(`${url}/mcp`, modernRequest(1, "tools/list"), modernHeaders("tools/list"));
    expect(list.status).toBe(200);
  });
});
