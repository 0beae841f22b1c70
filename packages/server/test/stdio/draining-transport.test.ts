import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createDrainingTransport } from "../../src/stdio/draining-transport.ts";

const NOTICE = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;
const RESULT = { tools: [] };
const ANSWER: JSONRPCMessage = { jsonrpc: "2.0", id: 2, result: RESULT };
const ERROR: JSONRPCMessage = { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "no" } };

test.each([
  ["the client has the same answer", JSON.stringify(RESULT), ANSWER, []],
  ["the client has none", undefined, ANSWER, [ANSWER]],
  ["the client has another one", '{"tools":[{}]}', ANSWER, [NOTICE]],
  ["the SDK fails now", JSON.stringify(RESULT), ERROR, [NOTICE]],
])(
  "draining transport: when %s, the client is sent only what it still needs",
  async (_when, first, answer, sent) => {
    const stdout = new PassThrough();
    const stdin = { source: new PassThrough(), input: new PassThrough() };
    const firstAnswers = new Map([[2, { result: Promise.resolve(first), notice: NOTICE }]]);
    const transport = createDrainingTransport(stdin, stdout, firstAnswers);
    await transport.start();
    await transport.send(answer);
    // The id may be used again.
    await transport.send(ANSWER);
    const lines = String(stdout.read()).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([...sent, ANSWER]);
    await transport.close();
  },
);
