import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createEventSink, type EventSink, type SinkMode } from "../../../test/support/event-sink.ts";
import { connectTo, redisForTest } from "../../../test/support/open-redis.ts";
import { prepareRecorders, type Recorder } from "../../../test/support/recorders.ts";
import { HAS_REDIS, type RedisServer } from "../../../test/support/redis-server.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { createFleetShare } from "../src/share/fleet-share.ts";

const DOWN: SinkMode = { kind: "status", status: 503 };
const ACCEPT: SinkMode = { kind: "accept" };
const TODAY = new Date().toISOString().slice(0, 10);

const namesAt = (sink: EventSink): ReadonlySet<string> =>
  new Set(sink.taken().map(({ data }) => String(data["context"])));

/** Each event has one id, however often it arrived. */
function idsAt(sink: EventSink): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { data, event_id } of sink.taken()) {
    const name = String(data["context"]);
    ids.set(name, (ids.get(name) ?? new Set()).add(event_id ?? ""));
  }
  return ids;
}

async function fleet() {
  const sandbox = createSandbox();
  const server = await redisForTest();
  const sink = await createEventSink();
  const startRecorder = await prepareRecorders(sandbox, new URL("./recorder.ts", import.meta.url));
  const folderOf = (replica: string): string => path.join(sandbox.home, replica);
  const start = (replica: string, name: string, events = 0): Recorder =>
    startRecorder(folderOf(replica), sink.url, name, events, `${server.url}?timeout=1000`);
  return { sandbox, server, sink, start, folderOf };
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith("analytics-") && name !== "analytics-salt");

async function countedIn(server: RedisServer, sandbox: Sandbox): Promise<number> {
  const { usage } = createFleetShare(await connectTo(server), sandbox.home);
  const [day] = await usage.days({ since: TODAY, until: TODAY });
  return new Map(day?.events).get("no_match") ?? 0;
}

describe.skipIf(!HAS_REDIS)("usage events of replicas", () => {
  test("arrive once each, are counted once each, and leave nothing in the stream", async () => {
    const { sandbox, server, sink, start, folderOf } = await fleet();
    const recorders = ["a", "b", "c"].map((name) => start(name, name, 200));
    await Promise.all(recorders.map(({ ended }) => ended));
    const safe = recorders.flatMap((recorder) => recorder.safe());
    expect(safe).toHaveLength(600);
    expect(sink.taken()).toHaveLength(600);
    expect(safe.filter((name) => !namesAt(sink).has(name))).toEqual([]);
    expect(await countedIn(server, sandbox)).toBe(600);
    expect(server.cli("XLEN", "skills-mcp:{usage}:events").trim()).toBe("0");
    // Those whose last events another replica delivered did not wait for it; the next process there removes their files.
    for (const name of ["a", "b", "c"]) {
      await start(name, `${name}1`, 1).ended;
      expect(filesIn(folderOf(name))).toEqual([]);
    }
  });

  test("survive kills of replicas, broken connections, an endpoint that fails, and a Redis that loses its memory twice", {
    timeout: 180_000,
  }, async () => {
    const { server, sink, start, folderOf } = await fleet();
    sink.behave(() => {
      const chance = Math.random();
      if (chance < 0.3) return DOWN;
      return chance < 0.4 ? { kind: "accept-and-reset" } : ACCEPT;
    });
    const safe: string[] = [];
    const REPLICAS = ["a", "b", "c"];
    const running = new Map(REPLICAS.map((name) => [name, start(name, `${name}0`)]));
    const progress = (): number =>
      safe.length + [...running.values()].reduce((sum, recorder) => sum + recorder.safe().length, 0);
    const goOn = async (): Promise<void> => {
      const before = progress();
      await waitUntil("events were recorded", () => progress() > before + 60);
    };
    const kill = async (name: string): Promise<void> => {
      const recorder = running.get(name);
      await recorder?.kill();
      safe.push(...(recorder?.safe() ?? []));
      running.set(name, start(name, `${name}1`));
    };

    for (const name of ["a", "b"]) {
      await goOn();
      await kill(name);
      await goOn();
      server.cli("CLIENT", "KILL", "TYPE", "normal");
      await goOn();
      // Everything that it knew is gone, some of it delivered, some not.
      await server.stop();
      await goOn();
      await server.start();
      await goOn();
    }
    sink.behave(() => DOWN);
    await goOn();
    for (const name of REPLICAS) {
      const recorder = running.get(name);
      await recorder?.kill();
      safe.push(...(recorder?.safe() ?? []));
    }

    // Nobody is left. Those that start now find everything.
    sink.behave(() => ACCEPT);
    for (const name of REPLICAS) running.set(name, start(name, `${name}9`));
    await waitUntil(
      "everything arrived",
      () => {
        const arrived = namesAt(sink);
        return safe.every((name) => arrived.has(name));
      },
      120_000,
    );
    expect(safe.length).toBeGreaterThan(600);
    expect([...idsAt(sink).values()].filter((ids) => ids.size !== 1)).toEqual([]);
    for (const recorder of running.values()) await recorder.kill();
    expect(filesIn(folderOf("a")).length).toBeLessThan(100);
  });

  test("wait in event files while Redis is away, and are delivered when it is back", async () => {
    const { sandbox, server, sink, start } = await fleet();
    await server.stop();
    const recorder = start("a", "a");
    await waitUntil("some are safe", () => recorder.safe().length >= 50);
    expect(sink.taken()).toEqual([]);
    await server.start();
    const safe = recorder.safe();
    await waitUntil("they arrived", () => safe.every((name) => namesAt(sink).has(name)));
    await recorder.kill();
    expect(await countedIn(server, sandbox)).toBeGreaterThanOrEqual(safe.length);
  });
});
