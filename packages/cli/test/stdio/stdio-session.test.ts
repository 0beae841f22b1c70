import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { capabilitiesOf, DEFAULT_TOOLS } from "#server";
import { openStdioSession } from "../../src/stdio/stdio-session.ts";

const CAPABILITIES = capabilitiesOf({ tools: DEFAULT_TOOLS.loader, announcesChanges: true });
const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a client", version: "1" } },
};
const INITIALIZED = { method: "notifications/initialized" };
const LIST = { id: 2, method: "tools/list" };
const ANSWER = { tools: [{ name: "skill" }] };
const ANSWERS = { answer: ANSWER, instructions: "The skills." };

function lines(...messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}

/** A client at the other end, and what it has received. */
async function meet(first: string, patienceMs = 60_000) {
  const source = new PassThrough();
  const stdout = new PassThrough();
  let received = "";
  stdout.on("data", (chunk: Buffer) => {
    received += chunk.toString();
  });
  const process = Object.assign(new EventEmitter(), { stdin: source, stdout });
  const early = openStdioSession(process, patienceMs);
  source.write(first);
  await early.answerInitialize(CAPABILITIES);
  const ids = (): readonly unknown[] =>
    received
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
  return { process, source, early, ids, received: () => received };
}

test("a client that asks for its list next has it at once, and everything is left for the SDK to read", async () => {
  const sent = lines(INITIALIZE, INITIALIZED, LIST);
  const { early, ids, received } = await meet(sent);
  const asked: string[] = [];
  await early.answerFirstList(async ({ name }) => {
    asked.push(name);
    return ANSWERS;
  });
  expect(asked).toEqual(["a client"]);
  expect(ids()).toEqual([1, 2]);
  expect(JSON.parse(received().split("\n")[1] ?? "")).toEqual({ jsonrpc: "2.0", id: 2, result: ANSWER });
  expect([...early.sent.keys()]).toEqual([1, 2]);
  expect(await early.sent.get(2)?.result).toBe(JSON.stringify(ANSWER));
  expect((early.stdin.input.read() as Buffer).toString()).toBe(sent);
});

test("the instructions name the skills if these are known soon", async () => {
  const { early, source, received } = await meet("");
  source.write(lines(INITIALIZE));
  await pause(0);
  await early.answerInitialize(CAPABILITIES, async () => ANSWERS);
  expect(JSON.parse(received())).toMatchObject({ result: { instructions: "The skills." } });
});

test("a client whose skills cannot be listed soon is answered without them", async () => {
  for (const answers of [() => new Promise<never>(() => {}), () => Promise.reject(new Error("no disk"))]) {
    const { early, source, received } = await meet("");
    source.write(lines(INITIALIZE));
    await pause(0);
    await early.answerInitialize(CAPABILITIES, answers);
    expect(JSON.parse(received())).toMatchObject({ result: { instructions: CAPABILITIES.instructions } });
  }
});

test("a message in pieces is one message", async () => {
  const { source, early, ids } = await meet(lines(INITIALIZE));
  const answering = early.answerFirstList(async () => ANSWERS);
  const rest = lines(INITIALIZED, LIST);
  for (let at = 0; at < rest.length; at += 9) {
    source.write(rest.slice(at, at + 9));
    await pause(0);
  }
  await answering;
  expect(ids()).toEqual([1, 2]);
});

test.each([
  ["another question", lines(INITIALIZED, { id: 2, method: "resources/list" }, LIST)],
  ["a page of the list", lines(INITIALIZED, { ...LIST, params: { cursor: "x" } })],
  ["a list with something besides", lines(INITIALIZED, { ...LIST, params: { _meta: { progressToken: 1 } } })],
  ["an id that was answered before", lines(INITIALIZED, { ...LIST, id: 1 })],
  ["no JSON", "tools/list\n"],
  ["a line that never ends", "x".repeat(70_000)],
])("%s is left to the SDK", async (_what, rest) => {
  const { early, ids } = await meet(lines(INITIALIZE) + rest);
  await early.answerFirstList(() => expect.fail("Nobody asked for a list."));
  expect(ids()).toEqual([1]);
});

test("a client that sends nothing more is not waited for", async () => {
  const { early, ids } = await meet(lines(INITIALIZE, INITIALIZED), 5);
  await early.answerFirstList(() => expect.fail("Nobody asked for a list."));
  expect(ids()).toEqual([1]);
});

test("a client without a plain initialize waits for the SDK", async () => {
  const { early, ids } = await meet(lines(LIST, INITIALIZE));
  await early.answerFirstList(() => expect.fail("Nobody asked for a list."));
  expect([ids(), early.sent.size]).toEqual([[], 0]);
});

test("another request does not wait for the list, which is sent when it is ready", async () => {
  const { source, early, ids } = await meet(lines(INITIALIZE, INITIALIZED, LIST));
  let found = (_answers: typeof ANSWERS): void => {};
  const list = new Promise<typeof ANSWERS>((resolve) => {
    found = resolve;
  });
  const answering = early.answerFirstList(() => list);
  source.write(lines({ id: 3, method: "ping" }));
  await answering;
  expect(ids()).toEqual([1]);
  found(ANSWERS);
  await early.sent.get(2)?.result;
  await pause(0);
  expect(ids()).toEqual([1, 2]);
});

test("the end of the input ends the waiting", async () => {
  const { source, early } = await meet(lines(INITIALIZE, INITIALIZED, LIST));
  const answering = early.answerFirstList(() => new Promise(() => {}));
  source.end();
  await answering;
});

test("a list that cannot be made is left to the SDK", async () => {
  const { early, ids } = await meet(lines(INITIALIZE, INITIALIZED, LIST));
  await early.answerFirstList(async () => {
    throw new Error("The disk cannot be read.");
  });
  expect(await early.sent.get(2)?.result).toBeUndefined();
  expect(ids()).toEqual([1]);
});

test("the server takes over what the start script opened, and answers what came too late for it", async () => {
  const { process, source, early, ids } = await meet("");
  expect(ids()).toEqual([]);
  const server = openStdioSession(process);
  expect(server).toBe(early);
  source.write(lines(INITIALIZE));
  await server.answerInitialize(CAPABILITIES);
  await server.answerInitialize(CAPABILITIES);
  await pause(0);
  expect(ids()).toEqual([1]);
});

test("a signal that comes before the server is loaded ends the session, not the process", async () => {
  const { process, early } = await meet(lines(INITIALIZE));
  process.emit("SIGTERM", "SIGTERM");
  expect(await early.end).toBe("SIGTERM");
});
