import { describe, expect, onTestFinished, test } from "vitest";
import { NO_LOG } from "#util";
import { connectTo, redisForTest } from "../../../test/support/open-redis.ts";
import { HAS_REDIS, type RedisServer } from "../../../test/support/redis-server.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { openBus } from "../src/bus.ts";
import { Peers } from "../src/peers.ts";

async function join(server: RedisServer, revision: string) {
  // A replica counts as gone after a time-out.
  const redis = await connectTo(server, 1_500);
  const bus = await openBus(redis, NO_LOG);
  const peers = new Peers(bus, () => ({ revision, commits: {}, version: "1" }));
  onTestFinished(() => peers.close());
  peers.hello();
  return { redis, bus, peers };
}

describe.skipIf(!HAS_REDIS)("other replicas", () => {
  test("checkAlive: a killed replica is forgotten, one that is behind is not", async () => {
    const server = await redisForTest();
    const { peers } = await join(server, "new");
    const behind = await join(server, "old");
    const killed = await join(server, "old");
    await waitUntil("both are known", () => peers.all().size === 2);
    const lost: string[] = [];
    peers.onState((state, name) => {
      if (state === undefined) lost.push(name);
    });
    // Its connections end, and nothing was said.
    await killed.redis.close();
    await waitUntil(
      "nobody listens",
      async () => !(await server.ask("PUBSUB CHANNELS")).includes(killed.bus.replica),
    );
    await peers.checkAlive("new");
    expect(lost).toEqual([killed.bus.replica]);
    expect([...peers.all().keys()]).toEqual([behind.bus.replica]);
  });
});
