import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createEventSink, type EventSink, type SinkMode } from "../../../../test/support/event-sink.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { createFleetUsage } from "../../src/relay/fleet-usage.ts";
import { openUsage } from "../open-usage.ts";
import { createMemoryLog } from "./memory-log.ts";

const DOWN: SinkMode = { kind: "status", status: 503 };
const TODAY = new Date().toISOString().slice(0, 10);
const SPAN = { since: TODAY, until: TODAY };

async function replica(mode?: SinkMode) {
  const sink = await createEventSink(mode);
  const memory = createMemoryLog();
  const opened = openUsage(createSandbox(), {
    endpoint: sink.url,
    shared: memory.log,
    timing: { intervalMs: 3_600_000, relayMs: 3_600_000, commitMs: 5 },
  });
  const files = (): readonly string[] =>
    readdirSync(opened.folder).filter((name) => name !== "analytics-salt");
  return { ...opened, sink, memory, files };
}

const contexts = (sink: EventSink): readonly unknown[] => sink.taken().map(({ data }) => data["context"]);

describe("relay", () => {
  test("events go through the log to the endpoint, are counted, and leave no file", async () => {
    const { usage, folder, sink, memory, files } = await replica();
    usage.record("no_match", { context: "a", via: "get_skill" }, { caller: "ann" });
    usage.record("skills_found", { skills: ["pdf"], via: "find_skills" });
    usage.record("skill_feedback", { skill_path: "pdf", useful: true, comment: "good" });
    await usage.flush();
    expect(sink.taken().map(({ type }) => type)).toEqual(["no_match", "skill_feedback"]);
    expect(usage.state()).toMatchObject({ queued: 0, delivered: 2, dropped: 0, failure: undefined });
    expect([memory.waiting(), files()]).toEqual([0, []]);
    const fleet = createFleetUsage(memory.log, folder, "hash", () => () => {});
    const [day] = await fleet.days(SPAN);
    expect(day).toMatchObject({
      searched: 2,
      found: [["pdf", 1]],
      feedback: [{ skill: "pdf", useful: 1, comments: [{ text: "good" }] }],
    });
    expect((await fleet.days(SPAN, "ann"))[0]?.events).toEqual([["no_match", 1]]);
    expect(await fleet.days(SPAN, "bob")).toEqual([]);
    const nobody = createFleetUsage(memory.log, folder, "off", () => () => {});
    expect(await nobody.days(SPAN, "ann")).toEqual([]);
  });

  test("events that the log lost before they were delivered are sent again from their file", async () => {
    const { usage, sink, memory, files } = await replica(DOWN);
    usage.record("no_match", { context: "a", via: "get_skill" });
    await usage.flush();
    expect(usage.state().failure?.reason).toBe("status 503");
    expect(memory.waiting()).toBe(1);
    expect(files()).toEqual([expect.stringMatching(/^analytics-sent\..*~1~1-0\.part$/)]);

    memory.loseMemory();
    await usage.flush();
    expect(files()).toEqual([expect.stringMatching(/^analytics-buffer\..*\.part$/)]);
    sink.behave(() => ({ kind: "accept" }));
    await usage.flush();
    await usage.flush();
    expect(contexts(sink)).toEqual(["a"]);
    expect([memory.waiting(), files()]).toEqual([0, []]);
  });

  test.each(["isAway", "isFull"] as const)(
    "while the log %s, events wait in the shared file, and are delivered later",
    async (trouble) => {
      const { usage, sink, memory, files } = await replica();
      memory.state[trouble] = true;
      usage.record("no_match", { context: "a", via: "get_skill" });
      await usage.flush();
      expect([contexts(sink), files()]).toEqual([[], ["analytics-buffer.jsonl"]]);
      memory.state[trouble] = false;
      await usage.flush();
      expect([contexts(sink), files()]).toEqual([["a"], []]);
    },
  );

  test("an entry that the endpoint refuses five times is set aside, and leaves the log", async () => {
    const { usage, memory, files, log } = await replica({ kind: "status", status: 400 });
    usage.record("no_match", { context: "a", via: "get_skill" });
    for (let n = 0; n < 5; n++) await usage.flush();
    expect([memory.waiting(), files()]).toEqual([0, ["analytics-refused.jsonl"]]);
    expect(log.filter((line) => line.includes("analytics-refused.jsonl"))).toHaveLength(1);
  });
});

test("fleet usage: replicas agree on one salt, and use their own while the log is away", async () => {
  const { log, state } = createMemoryLog();
  const [one, other] = [createSandbox(), createSandbox()].map(({ home }) =>
    createFleetUsage(log, home, "hash", () => () => {}),
  );
  const salt = await one?.salt();
  expect(await other?.salt()).toBe(salt);
  state.isAway = true;
  const alone = createFleetUsage(log, createSandbox().home, "hash", () => () => {});
  expect(await alone.salt()).not.toBe(salt);
  await expect(alone.days(SPAN)).rejects.toThrow("away");
});
