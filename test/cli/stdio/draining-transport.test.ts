import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { createDrainingTransport } from "../../../src/cli/stdio/draining-transport.ts";

const NOTICE = { jsonrpc: "2.0", method: "notifications/tools/list_changed" } as const;
const RESULT = { tools: [] };
const ANSWER: JSONRPCMessage = { jsonrpc: "2.0", id: 2, result: RESULT };
const ERROR: JSONRPCMessage = { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "no" } };

test.each([
  ["the same was said before", JSON.stringify(RESULT), ANSWER, []],
  ["nothing could be said before", undefined, ANSWER, [ANSWER]],
  ["something else was said before", '{"tools":[{}]}', ANSWER, [NOTICE]],
  ["it fails now", JSON.stringify(RESULT), ERROR, [NOTICE]],
])("of an answer, when %s, the client is sent what is left to say", async (_when, said, answer, sent) => {
  const stdout = new PassThrough();
  const stdin = { source: new PassThrough(), input: new PassThrough() };
  const early = new Map([[2, { result: Promise.resolve(said), notice: NOTICE }]]);
  const transport = createDrainingTransport(stdin, stdout, early);
  await transport.start();
  await transport.send(answer);
  // The id may be used again.
  await transport.send(ANSWER);
  const lines = String(stdout.read()).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([...sent, ANSWER]);
  await transport.close();
});
