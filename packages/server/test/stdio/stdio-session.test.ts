import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { DEFAULT_TOOLS } from "../../src/mcp/definitions/tool-sets.ts";
import { capabilitiesOf } from "../../src/mcp/server/capabilities.ts";
import { openStdioSession } from "../../src/stdio/stdio-session.ts";

const SETTINGS = { tools: DEFAULT_TOOLS.loader, announcesChanges: true };
/** Of a server whose instructions name no skill. */
const PLAIN = { ...SETTINGS, instructionsBudget: 0 };
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

/** Opens a session whose client has sent `first`; also returns what that client has received. */
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
  await early.answerFirstRequests(PLAIN);
  const ids = (): readonly unknown[] =>
    received
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
  return { process, source, early, ids, received: () => received };
}

test("first requests: a client that asks for its list next has it at once, and the SDK can still read everything", async () => {
  const sent = lines(INITIALIZE, INITIALIZED, LIST);
  const { early, ids, received } = await meet(sent);
  const asked: string[] = [];
  await early.answerFirstRequests(PLAIN, async ({ name }) => {
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

test("handshake: the instructions name the skills if these are known soon", async () => {
  const { early, source, received } = await meet("", 5);
  source.write(lines(INITIALIZE));
  await pause(0);
  await early.answerFirstRequests(SETTINGS, async () => ANSWERS);
  expect(JSON.parse(received())).toMatchObject({ result: { instructions: "The skills." } });
});

test("handshake: a client whose skills cannot be listed soon is answered without them", async () => {
  for (const answers of [() => new Promise<never>(() => {}), () => Promise.reject(new Error("no disk"))]) {
    const { early, source, received } = await meet("", 5);
    source.write(lines(INITIALIZE));
    await pause(0);
    await early.answerFirstRequests(SETTINGS, answers);
    expect(JSON.parse(received())).toMatchObject({
      result: { instructions: capabilitiesOf(SETTINGS).instructions },
    });
  }
});

test("first requests: a message that arrives in pieces is one message", async () => {
  const { source, early, ids } = await meet(lines(INITIALIZE));
  const answering = early.answerFirstRequests(PLAIN, async () => ANSWERS);
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
])("first list: %s is left to the SDK", async (_what, rest) => {
  const { early, ids } = await meet(lines(INITIALIZE) + rest);
  await early.answerFirstRequests(PLAIN, () => expect.fail("Nobody asked for a list."));
  expect(ids()).toEqual([1]);
});

test("first list: a client that sends nothing more is not waited for", async () => {
  const { early, ids } = await meet(lines(INITIALIZE, INITIALIZED), 5);
  await early.answerFirstRequests(PLAIN, () => expect.fail("Nobody asked for a list."));
  expect(ids()).toEqual([1]);
});

test("handshake: a client without a plain initialize waits for the SDK", async () => {
  const { early, ids } = await meet(lines(LIST, INITIALIZE));
  await early.answerFirstRequests(PLAIN, () => expect.fail("Nobody asked for a list."));
  expect([ids(), early.sent.size]).toEqual([[], 0]);
});

test("first list: another request does not wait for it, and it is sent when it is ready", async () => {
  const { source, early, ids } = await meet(lines(INITIALIZE, INITIALIZED, LIST));
  let found = (_answers: typeof ANSWERS): void => {};
  const list = new Promise<typeof ANSWERS>((resolve) => {
    found = resolve;
  });
  const answering = early.answerFirstRequests(PLAIN, () => list);
  source.write(lines({ id: 3, method: "ping" }));
  await answering;
  expect(ids()).toEqual([1]);
  found(ANSWERS);
  await early.sent.get(2)?.result;
  await pause(0);
  expect(ids()).toEqual([1, 2]);
});

test("first list: the end of the input ends the wait for it", async () => {
  const { source, early } = await meet(lines(INITIALIZE, INITIALIZED, LIST));
  const answering = early.answerFirstRequests(PLAIN, () => new Promise(() => {}));
  source.end();
  await answering;
});

test("first list: one that cannot be made is left to the SDK", async () => {
  const { early, ids } = await meet(lines(INITIALIZE, INITIALIZED, LIST));
  await early.answerFirstRequests(PLAIN, async () => {
    throw new Error("The disk cannot be read.");
  });
  expect(await early.sent.get(2)?.result).toBeUndefined();
  expect(ids()).toEqual([1]);
});

test("first requests: what came too late for the first attempt is answered by the next, and once", async () => {
  const { source, early, ids } = await meet("", 5);
  expect(ids()).toEqual([]);
  source.write(lines(INITIALIZE));
  await early.answerFirstRequests(PLAIN);
  await early.answerFirstRequests(PLAIN);
  await pause(0);
  expect(ids()).toEqual([1]);
});

test("first requests: instructions that name skills wait until somebody knows them", async () => {
  const { source, early, ids, received } = await meet("", 5);
  source.write(lines(INITIALIZE));
  await pause(0);
  await early.answerFirstRequests(SETTINGS, () => undefined);
  expect(ids()).toEqual([]);
  await early.answerFirstRequests(SETTINGS, async () => ANSWERS);
  expect(JSON.parse(received())).toMatchObject({ id: 1, result: { instructions: "The skills." } });
});

test("stdio session: a signal before the server is loaded ends the session, not the process", async () => {
  const { process, early } = await meet(lines(INITIALIZE));
  process.emit("SIGTERM", "SIGTERM");
  expect(await early.end).toBe("SIGTERM");
});
