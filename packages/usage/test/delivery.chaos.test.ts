import { expect, test } from "vitest";
import { createEventSink, type EventSink, type SinkMode } from "../../../test/support/event-sink.ts";
import { prepareRecorders } from "../../../test/support/recorders.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { bufferFiles, folderOf, openUsage } from "./open-usage.ts";

/** `node scripts/check-delivery.mjs` sets more. */
const KILLS = Number(process.env["SKILLS_MCP_DELIVERY_KILLS"] ?? 4);

const RECORDER = new URL("./recorder.ts", import.meta.url);

const DOWN: SinkMode = { kind: "status", status: 503 };

/** The ids under which each event arrived, once for each time. */
function arrivals(sink: EventSink): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { data, event_id } of sink.taken()) {
    const name = String(data["context"]);
    ids.set(name, [...(ids.get(name) ?? []), event_id ?? ""]);
  }
  return ids;
}

test("two processes and an endpoint that fails half the time: no event is lost, and none arrives twice", async () => {
  const sandbox = createSandbox();
  const sink = await createEventSink();
  sink.behave(() => (Math.random() < 0.5 ? DOWN : { kind: "accept" }));
  const folder = folderOf(sandbox);
  const start = await prepareRecorders(sandbox, RECORDER);
  const recorders = ["ada", "bob"].map((name) => start(folder, sink.url, name, 400));
  await Promise.all(recorders.map(({ ended }) => ended));
  const safe = recorders.flatMap((recorder) => recorder.safe());
  expect(safe).toHaveLength(800);

  sink.behave(() => ({ kind: "accept" }));
  await openUsage(sandbox, { endpoint: sink.url }).usage.flush();
  const arrived = arrivals(sink);
  expect(safe.filter((name) => !arrived.has(name))).toEqual([]);
  expect([...arrived].filter(([, ids]) => ids.length !== 1)).toEqual([]);
  expect(sink.requests().some(({ accepted }) => !accepted)).toBe(true);
  expect(bufferFiles(folder)).toEqual([]);
});

test(`two processes that are killed ${KILLS} times: every event that was safe arrives, repeats under the same id`, {
  timeout: 60_000 + KILLS * 1000,
}, async () => {
  const sandbox = createSandbox();
  const sink = await createEventSink();
  sink.behave(() => {
    const chance = Math.random();
    if (chance < 0.4) return DOWN;
    return { kind: chance < 0.5 ? "accept-and-reset" : "accept" };
  });
  const folder = folderOf(sandbox);
  const start = await prepareRecorders(sandbox, RECORDER);
  const safe: string[] = [];

  async function killAgainAndAgain(slot: string, kills: number): Promise<void> {
    for (let life = 0; life < kills; life++) {
      const recorder = start(folder, sink.url, `${slot}${life}`);
      await waitUntil("it recorded something", () => recorder.safe().length > 0);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 150));
      await recorder.kill();
      safe.push(...recorder.safe());
    }
  }
  await Promise.all([
    killAgainAndAgain("a", Math.ceil(KILLS / 2)),
    killAgainAndAgain("b", Math.floor(KILLS / 2)),
  ]);

  sink.behave(() => ({ kind: "accept" }));
  await openUsage(sandbox, { endpoint: sink.url }).usage.flush();
  const arrived = arrivals(sink);
  expect(safe.filter((name) => !arrived.has(name))).toEqual([]);
  expect([...arrived].filter(([, ids]) => new Set(ids).size !== 1)).toEqual([]);
  const distinct = new Set([...arrived.values()].map(([id]) => id));
  expect(distinct.size).toBe(arrived.size);
  expect(bufferFiles(folder)).toEqual([]);
  // Five are saved at a time, and none was killed before its first five.
  expect(safe.length).toBeGreaterThanOrEqual(KILLS * 5);
});
