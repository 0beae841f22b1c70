import { describe, expect, onTestFinished, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { answeredTooOften, fuzzedFrames } from "../support/frames.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const FRAMES = Number(process.env["SKILLS_MCP_FRAMES"] ?? 600);
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const initialize = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};
const line = (id: string, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

describe.each([
  ["2025-11-25", line("begin", "initialize", initialize), undefined],
  ["2026-07-28", line("begin", "server/discover", { _meta: ENVELOPE }), ENVELOPE],
] as const)("fuzzed frames on stdio, %s", (_era, begin, envelope) => {
  test("stdout stays JSON, each id is answered at most once, and the server lives on", async () => {
    const { child, stdout, exit } = spawnBin(createSandbox(), ["mcp"]);
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await exit;
    });
    child.stdin.write(begin);
    await waitUntil("the connection is open", () => stdout().includes('"begin"'));
    const frames = fuzzedFrames(FRAMES, 42, envelope);
    for (const { text } of frames) child.stdin.write(`${text}\n`);
    child.stdin.write(line("end", "tools/list", envelope === undefined ? {} : { _meta: envelope }));
    await waitUntil("the last request is answered", () => stdout().includes('"id":"end"'));
    const answers = stdout()
      .split("\n")
      .filter((text) => text !== "")
      .map((text) => JSON.parse(text) as { readonly id?: unknown; readonly method?: string });
    const times = new Map<unknown, number>();
    for (const { id, method } of answers) {
      if (id !== undefined && id !== null && method === undefined) times.set(id, (times.get(id) ?? 0) + 1);
    }
    expect(answeredTooOften(frames, times)).toEqual([]);
    expect(times.size).toBeGreaterThan(FRAMES / 20);
  });
});
