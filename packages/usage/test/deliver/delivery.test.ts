import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createEventSink, type SinkMode } from "../../../../test/support/event-sink.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { bufferFiles, openUsage } from "../open-usage.ts";

const DOWN: SinkMode = { kind: "status", status: 503 };

describe("an endpoint that is up", () => {
  test("gets the events in the documented shape, and nothing stays on disk", async () => {
    const sink = await createEventSink();
    const { usage, folder, log } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("no_match", { context: "deploy to mars", via: "get_skill" });
    usage.record("skill_served", { skill_path: "pdf", via: "skill" });
    await usage.flush();
    const [request] = sink.requests();
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      events: [
        {
          type: "no_match",
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
          server_id: "dev-ada",
          event_id: expect.stringMatching(
            /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/,
          ) as string,
          data: { context: "deploy to mars", via: "get_skill" },
        },
        expect.objectContaining({
          type: "skill_served",
          data: expect.objectContaining({ skill_path: "pdf", via: "skill" }),
        }),
      ],
    });
    expect(bufferFiles(folder)).toEqual([]);
    expect(usage.state()).toMatchObject({ queued: 0, delivered: 2, dropped: 0, failure: undefined });
    expect(usage.state().lastDelivery).toBeDefined();
    expect(log).toEqual([]);
  });

  test("gets at most 500 events a request", async () => {
    const sink = await createEventSink();
    const { usage } = openUsage(createSandbox(), { endpoint: sink.url });
    for (let n = 0; n < 1203; n++) usage.record("no_match", { context: `q${n}`, via: "get_skill" });
    await usage.flush();
    expect(sink.requests().map(({ events }) => events.length)).toEqual([500, 500, 203]);
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(
      Array.from({ length: 1203 }, (_, n) => `q${n}`),
    );
    expect(new Set(sink.requests().map(({ key }) => key)).size).toBe(3);
  });

  test("is asked at the interval, without anybody calling flush", async () => {
    const sink = await createEventSink();
    const { usage } = openUsage(createSandbox(), {
      endpoint: sink.url,
      timing: { intervalMs: 20, commitMs: 5 },
    });
    usage.record("no_match", { context: "a", via: "get_skill" });
    await waitUntil("the event arrives", () => sink.taken().length === 1);
  });

  test("gets what an earlier version left behind, also lines without an id, and not what was torn", async () => {
    const sandbox = createSandbox();
    const sink = await createEventSink();
    const old = `{"type":"no_match","timestamp":"${new Date().toISOString()}","server_id":"dev-x","data":{"context":"old"}}`;
    sandbox.write("home/.skills-mcp/analytics-buffer.jsonl", `${old}\n${old}\nnot json\n${old.slice(0, 40)}`);
    const { usage, folder } = openUsage(sandbox, { endpoint: sink.url });
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(["old", "old"]);
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("that redirects is not followed", async () => {
    const other = await createEventSink();
    const sink = await createEventSink({ kind: "status", status: 307, headers: { location: other.url } });
    const { usage, log } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("no_match", { context: "a", via: "get_skill" });
    await usage.flush();
    expect(other.requests()).toEqual([]);
    expect(usage.state().failure?.reason).toBe("status 307");
    expect(log).toHaveLength(1);
  });
});

describe("an endpoint that fails", () => {
  test.each<[string, SinkMode, string]>([
    ["answers 503", DOWN, "status 503"],
    ["cuts the connection", { kind: "reset" }, "ECONNRESET"],
    ["never answers", { kind: "hang" }, "no answer within 0.2 s"],
  ])("because it %s leaves the events in the buffer file", async (_what, mode, reason) => {
    const sink = await createEventSink(mode);
    const { usage, folder, log } = openUsage(createSandbox(), {
      endpoint: sink.url,
      timing: { intervalMs: 3_600_000, timeoutMs: 200 },
    });
    usage.record("no_match", { context: "a", via: "get_skill" });
    usage.record("no_match", { context: "b", via: "get_skill" });
    await usage.flush();
    expect(bufferFiles(folder)).toEqual(["analytics-buffer.jsonl"]);
    const lines = readFileSync(path.join(folder, "analytics-buffer.jsonl"), "utf8").trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { data: unknown }).data)).toEqual([
      { context: "a", via: "get_skill" },
      { context: "b", via: "get_skill" },
    ]);
    expect(usage.state().failure?.reason).toBe(reason);
    expect(log).toEqual([
      `usage: ${sink.host} does not accept events (${reason}). They are buffered and sent again later.`,
    ]);
  });

  test("gets everything, once and in order, when it is back", async () => {
    const sink = await createEventSink(DOWN);
    const { usage, folder, log } = openUsage(createSandbox(), { endpoint: sink.url });
    for (const context of ["a", "b", "c"]) {
      usage.record("no_match", { context, via: "get_skill" });
      await usage.flush();
    }
    sink.behave(() => ({ kind: "accept" }));
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(["a", "b", "c"]);
    expect(bufferFiles(folder)).toEqual([]);
    expect(usage.state().failure).toBeUndefined();
    expect(log).toEqual([
      expect.stringContaining("does not accept events (status 503)") as string,
      expect.stringContaining("accepts events again") as string,
    ]);
  });

  test("gets a batch again under the same key and with the same events, though there are more by then", async () => {
    const sink = await createEventSink({ kind: "accept-and-reset" });
    const { usage } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("no_match", { context: "a", via: "get_skill" });
    await usage.flush();
    sink.behave(() => ({ kind: "accept" }));
    usage.record("no_match", { context: "b", via: "get_skill" });
    await usage.flush();
    const [first, again, more] = sink.requests();
    expect(again?.key).toBe(first?.key);
    expect(again?.body).toBe(first?.body);
    expect(more?.events.map(({ data }) => data["context"])).toEqual(["b"]);
  });

  test("keeps what it took when it fails in the middle", async () => {
    const sink = await createEventSink();
    sink.behave((request) => (request === 1 ? DOWN : { kind: "accept" }));
    const { usage, folder } = openUsage(createSandbox(), { endpoint: sink.url });
    for (let n = 0; n < 1100; n++) usage.record("no_match", { context: `q${n}`, via: "get_skill" });
    await usage.flush();
    const left = readFileSync(path.join(folder, "analytics-buffer.jsonl"), "utf8").trimEnd().split("\n");
    expect(left).toHaveLength(600);
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(
      Array.from({ length: 1100 }, (_, n) => `q${n}`),
    );
    expect(bufferFiles(folder)).toEqual([]);
  });

  test("is left alone for as long as it asked, even by someone in person", async () => {
    let now = Date.now();
    const sink = await createEventSink({ kind: "status", status: 429, headers: { "retry-after": "60" } });
    const { usage, folder } = openUsage(createSandbox(), { endpoint: sink.url, now: () => now });
    usage.record("no_match", { context: "a", via: "get_skill" });
    await usage.flush();
    sink.behave(() => ({ kind: "accept" }));
    now += 59_000;
    usage.record("no_match", { context: "b", via: "get_skill" });
    await usage.flush();
    expect(sink.requests()).toHaveLength(1);
    const buffered = readFileSync(path.join(folder, "analytics-buffer.jsonl"), "utf8");
    expect(buffered.trimEnd().split("\n")).toHaveLength(2);
    now += 2000;
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(["a", "b"]);
  });

  test("is left alone by the interval while it backs off", async () => {
    let now = Date.now();
    let ticks = 0;
    const sink = await createEventSink(DOWN);
    const { usage } = openUsage(createSandbox(), {
      endpoint: sink.url,
      // Every tick of the interval asks for the time.
      now: () => {
        ticks++;
        return now;
      },
      random: () => 0.999,
      timing: { intervalMs: 10, commitMs: 1 },
    });
    usage.record("no_match", { context: "a", via: "get_skill" });
    await waitUntil("the first failure", () => sink.requests().length === 1);
    const before = ticks;
    await waitUntil("the interval has passed several times", () => ticks > before + 20);
    expect(sink.requests()).toHaveLength(1);
    sink.behave(() => ({ kind: "accept" }));
    now += 10;
    await waitUntil("the event arrives", () => sink.taken().length === 1);
  });

  test("that refuses events for good gets them five times, then they are moved aside", async () => {
    const sink = await createEventSink();
    sink.behave((_request, events) =>
      events.some(({ data }) => data["context"] === "poison")
        ? { kind: "status", status: 400 }
        : { kind: "accept" },
    );
    const { usage, folder, log } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("no_match", { context: "poison", via: "get_skill" });
    await usage.flush();
    usage.record("no_match", { context: "fine", via: "get_skill" });
    for (let n = 0; n < 4; n++) await usage.flush();
    expect(sink.requests().filter(({ accepted }) => !accepted)).toHaveLength(5);
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(["fine"]);
    expect(bufferFiles(folder)).toEqual([]);
    expect(readFileSync(path.join(folder, "analytics-refused.jsonl"), "utf8")).toContain('"poison"');
    expect(log.filter((line) => line.includes("analytics-refused.jsonl"))).toHaveLength(1);
  });

  test("that refuses everything never counts as one that works", async () => {
    const sink = await createEventSink({ kind: "status", status: 404 });
    const { usage, folder, log } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("no_match", { context: "a", via: "get_skill" });
    for (let n = 0; n < 6; n++) await usage.flush();
    expect(sink.requests()).toHaveLength(5);
    expect(usage.state()).toMatchObject({ delivered: 0, lastDelivery: undefined });
    expect(usage.state().failure?.reason).toBe("status 404");
    expect(bufferFiles(folder)).toEqual([]);
    expect(log.filter((line) => line.includes("accepts events again"))).toEqual([]);
  });

  test("that finds a request too large gets it in halves", async () => {
    const sink = await createEventSink();
    sink.behave((_request, events) =>
      events.length > 100 ? { kind: "status", status: 413 } : { kind: "accept" },
    );
    const { usage, folder } = openUsage(createSandbox(), { endpoint: sink.url });
    for (let n = 0; n < 300; n++) usage.record("no_match", { context: `q${n}`, via: "get_skill" });
    await usage.flush();
    expect(sink.taken().map(({ data }) => data["context"])).toEqual(
      Array.from({ length: 300 }, (_, n) => `q${n}`),
    );
    expect(bufferFiles(folder)).toEqual([]);
  });
});

describe("closing", () => {
  test("sends what is left", async () => {
    const sink = await createEventSink();
    const { usage, folder } = openUsage(createSandbox(), { endpoint: sink.url });
    usage.record("no_match", { context: "last words", via: "get_skill" });
    await usage.close(5000);
    expect(sink.taken()).toHaveLength(1);
    expect(bufferFiles(folder)).toEqual([]);
    usage.record("no_match", { context: "too late", via: "get_skill" });
    await usage.close(5000);
    expect(sink.taken()).toHaveLength(1);
  });

  test("with an endpoint that hangs keeps to its deadline and leaves the events in the buffer file", async () => {
    const sink = await createEventSink({ kind: "hang" });
    const { usage, folder } = openUsage(createSandbox(), {
      endpoint: sink.url,
      timing: { intervalMs: 3_600_000, timeoutMs: 3_600_000 },
    });
    usage.record("no_match", { context: "a", via: "get_skill" });
    await usage.close(800);
    // A busy disk may take longer than that; it still ends there.
    await waitUntil("the events are in the buffer file", () => {
      const [only, more] = bufferFiles(folder);
      return only === "analytics-buffer.jsonl" && more === undefined;
    });
    expect(readFileSync(path.join(folder, "analytics-buffer.jsonl"), "utf8")).toContain('"a"');
  });
});

test("buffered usage events are not dropped for their age: an endpoint that is back after a year gets each once", async () => {
  const sink = await createEventSink(DOWN);
  const sandbox = createSandbox();
  const aYearAgo = Date.now() - 365 * 24 * 60 * 60_000;
  const before = openUsage(sandbox, { endpoint: sink.url, now: () => aYearAgo });
  for (let n = 0; n < 3; n++) before.usage.record("no_match", { context: `old ${n}`, via: "get_skill" });
  await before.usage.flush();
  await before.usage.close(1000);
  expect(bufferFiles(before.folder)).toEqual(["analytics-buffer.jsonl"]);

  sink.behave(() => ({ kind: "accept" }));
  const { usage, log, folder } = openUsage(sandbox, { endpoint: sink.url });
  usage.record("no_match", { context: "new", via: "get_skill" });
  await usage.flush();
  expect(sink.taken().map(({ data }) => data["context"])).toEqual(["old 0", "old 1", "old 2", "new"]);
  expect(usage.state()).toMatchObject({ delivered: 4, dropped: 0 });
  expect(log).toEqual([]);
  expect(bufferFiles(folder)).toEqual([]);
});

test("the oldest events are dropped when there is no room, which is counted and logged once", async () => {
  const sink = await createEventSink();
  const limits = { memoryEvents: 3 };
  const { usage, log } = openUsage(createSandbox(), { endpoint: sink.url, limits });
  for (let n = 0; n < 10; n++) usage.record("no_match", { context: `q${n}`, via: "get_skill" });
  await usage.flush();
  expect(sink.taken().map(({ data }) => data["context"])).toEqual(["q7", "q8", "q9"]);
  expect(usage.state().dropped).toBe(7);
  expect(log).toEqual(["usage: the buffer is full, so the oldest events are dropped."]);
});

test("with neither an endpoint nor a history nothing is made, ever", async () => {
  const { usage, folder } = openUsage(createSandbox());
  usage.record("no_match", { context: "a", via: "get_skill" });
  expect(await usage.saved()).toBe(true);
  await usage.flush();
  await usage.close(100);
  expect(existsSync(folder)).toBe(false);
});

test("before the first event nothing is made", async () => {
  const sink = await createEventSink();
  const { usage, folder } = openUsage(createSandbox(), {
    endpoint: sink.url,
    history: true,
    context: "hash",
  });
  await usage.flush();
  await usage.close(1000);
  expect(existsSync(folder)).toBe(false);
  expect(sink.requests()).toEqual([]);
});

test("an endpoint that is no address of the web is refused at once", () => {
  expect(() => openUsage(createSandbox(), { endpoint: "file:///shop" })).toThrow(
    /not an http or https address/,
  );
});
