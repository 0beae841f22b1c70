import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { LineTransport } from "../../src/stdio/line-transport.ts";

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const answerTo = (id: string | number): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} });
const cancelled = (requestId: number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

/** A transport whose server answers when it is told to. */
async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new LineTransport(input, output);
  const received: JSONRPCMessage[] = [];
  const errors: string[] = [];
  let ended = false;
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = ({ message }) => void errors.push(message);
  transport.onclose = () => {
    ended = true;
  };
  await transport.start();
  onTestFinished(() => transport.close());
  return {
    transport,
    errors,
    received: () => received.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id),
    isClosed: () => ended,
    write: (text: string) => void input.write(text),
    send: (value: unknown) => void input.write(`${JSON.stringify(value)}\n`),
    /** Every line so far, as data. */
    lines: (): readonly unknown[] =>
      String(output.read() ?? "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as unknown),
  };
}

const refused = (id: unknown, code: number) =>
  expect.objectContaining({ id, error: expect.objectContaining({ code }) as unknown }) as unknown;

describe("a line on stdio", () => {
  test.each([
    ["broken JSON", "{broken", null, -32_700],
    ["half a message", '{"jsonrpc":"2.0","id":4,"method":"pi', null, -32_700],
    ["nothing of JSON-RPC", '{"foo":1}', null, -32_600],
    ["a number", "7", null, -32_600],
    ["null", "null", null, -32_600],
    ["an id that is null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32_600],
    ["parameters in a list", '{"jsonrpc":"2.0","id":"x","method":"ping","params":[1]}', "x", -32_600],
    ["an empty batch", "[]", null, -32_600],
    ["a batch of too many", JSON.stringify(Array.from({ length: 101 }, (_, id) => ping(id))), null, -32_600],
  ])("that is %s is answered with its error, and the next one is served", async (_what, line, id, code) => {
    const { write, send, lines, received, errors } = await open();
    write(`${line}\n`);
    send(ping(1));
    expect(lines()).toEqual([refused(id, code)]);
    expect(received()).toEqual([1]);
    expect(errors).toHaveLength(1);
  });

  test.each([
    ["without parameters", undefined, /protocolVersion, capabilities and clientInfo are missing/],
    ["with a text for parameters", "x", /are missing/],
    ["with a list for parameters", [], /are missing/],
    [
      "without a version",
      { capabilities: {}, clientInfo: { name: "a", version: "1" } },
      /protocolVersion must/,
    ],
    ["with a number for a version", { protocolVersion: 7 }, /protocolVersion must be a string/],
    ["without capabilities", { protocolVersion: "2025-03-26" }, /capabilities must be an object/],
    ["without a client", { protocolVersion: "2025-03-26", capabilities: {} }, /clientInfo must be an object/],
    [
      "without the client's version",
      { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "a" } },
      /clientInfo\.version must be a string/,
    ],
    [
      "with capabilities of another shape",
      { protocolVersion: "2025-03-26", capabilities: { roots: 5 }, clientInfo: { name: "a", version: "1" } },
      /is not what the protocol defines/,
    ],
  ])("a malformed `initialize` %s is -32602 in one sentence", async (_what, params, sentence) => {
    const { send, lines, received } = await open();
    send({ jsonrpc: "2.0", id: 1, method: "initialize", ...(params === undefined ? {} : { params }) });
    const [answer] = lines() as readonly { readonly error: { readonly message: string } }[];
    expect(answer).toEqual(refused(1, -32_602));
    expect(answer?.error.message).toMatch(sentence);
    expect(answer?.error.message).toMatch(/^Invalid params of initialize: [^\n]{10,90}\.$/);
    expect(received()).toEqual([]);
  });

  test("may be empty, end with CRLF, and arrive in pieces of any size", async () => {
    const { write, lines, received, errors } = await open();
    for (const unit of `\n\r\n  \n${JSON.stringify(ping("é"))}\r\n${JSON.stringify(ping(2))}\n`) write(unit);
    expect(received()).toEqual(["é", 2]);
    expect(lines()).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("that is not a valid response is ignored: an answer would be a response to a response", async () => {
    const { send, lines, errors } = await open();
    send({ jsonrpc: "2.0", id: 5, result: "text" });
    expect(lines()).toEqual([]);
    expect(errors).toHaveLength(1);
  });

  test("that never ends ends the session", async () => {
    const { write, isClosed, errors } = await open();
    for (let count = 0; count < 11 && !isClosed(); count++) write("x".repeat(1024 * 1024));
    expect(isClosed()).toBe(true);
    expect(errors).toEqual(["a line is longer than 10 MiB"]);
  });
});

describe("stdio: a client that does not read its answers", () => {
  const ANSWER = "x".repeat(10_000);
  const REQUESTS = 2_000;

  /** A server that answers every request at once, with 10 KB. */
  async function flood(isBusy?: () => boolean) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = new LineTransport(input, output, isBusy);
    let received = 0;
    transport.onmessage = (message) => {
      if (!isJSONRPCRequest(message)) return;
      received++;
      void transport.send({ jsonrpc: "2.0", id: message.id, result: { text: ANSWER } });
    };
    await transport.start();
    onTestFinished(() => transport.close());
    for (let id = 0; id < REQUESTS; id++) input.write(`${JSON.stringify(ping(id))}\n`);
    await turn();
    return { transport, output, received: () => received };
  }

  test("is answered a few of its requests, and the others wait unread", async () => {
    const { output, received } = await flood();
    expect(received()).toBeLessThan(10);
    expect(output.writableLength + output.readableLength).toBeLessThan(100_000);
  });

  test("gets all answers, in their order, once it reads them", async () => {
    const { transport, output } = await flood();
    const ids: unknown[] = [];
    for await (const line of createInterface({ input: output })) {
      ids.push((JSON.parse(line) as { readonly id: unknown }).id);
      if (ids.length === REQUESTS) break;
    }
    expect(ids).toEqual(Array.from({ length: REQUESTS }, (_, id) => id));
    expect(transport.hasUnread).toBe(false);
  });

  test("has no more requests in progress than the server takes at a time", async () => {
    let isBusy = true;
    const { transport, output, received } = await flood(() => isBusy);
    expect(received()).toBe(0);
    isBusy = false;
    transport.readOn();
    output.resume();
    await waitUntil("all are answered", () => received() === REQUESTS);
  });
});

describe("a batch on stdio", () => {
  test("is answered with one array, once every request of it has its answer", async () => {
    const { transport, send, lines, received } = await open();
    send([ping(1), { jsonrpc: "2.0", method: "notifications/initialized" }, ping("two")]);
    expect(received()).toEqual([1, "two"]);
    await transport.send(answerTo("two"));
    expect(lines()).toEqual([]);
    await transport.send({ jsonrpc: "2.0", method: "notifications/message" });
    await transport.send(answerTo(1));
    expect(lines()).toEqual([
      { jsonrpc: "2.0", method: "notifications/message" },
      [answerTo("two"), answerTo(1)],
    ]);
    // The ids may be used again.
    send(ping(1));
    await transport.send(answerTo(1));
    expect(lines()).toEqual([answerTo(1)]);
  });

  test("names what it cannot serve, and serves the rest", async () => {
    const { transport, send, lines, received } = await open();
    const initialize = {
      ...ping(3),
      method: "initialize",
      params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "a", version: "1" } },
    };
    const modern = {
      ...ping(4),
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
    };
    send([7, ping(1), initialize, modern, ping(1), { jsonrpc: "2.0", id: 9, result: 1 }]);
    expect(received()).toEqual([1]);
    await transport.send(answerTo(1));
    expect(lines()).toEqual([
      [refused(null, -32_600), refused(3, -32_600), refused(4, -32_600), refused(1, -32_600), answerTo(1)],
    ]);
  });

  test("of notifications alone has no answer", async () => {
    const { send, lines } = await open();
    send([cancelled(1), cancelled(2)]);
    expect(lines()).toEqual([]);
  });

  test("does not wait for a request that was cancelled", async () => {
    const { transport, send, lines } = await open();
    send([ping(1), ping(2)]);
    await transport.send(answerTo(1));
    send(cancelled(2));
    expect(lines()).toEqual([[answerTo(1)]]);
  });
});
