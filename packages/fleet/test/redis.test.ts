import { writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseRedisAddress } from "#config";
import { createLog } from "#util";
import { freePort } from "../../../test/support/free-port.ts";
import { HAS_REDIS, type RedisServer, startRedis } from "../../../test/support/redis-server.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { openRedis, type Redis } from "../src/redis.ts";

/** With a long time-out, unless the test is about it: other tests run at the same time. */
async function open(url: string): Promise<{ redis: Redis; lines: string[] }> {
  const address = parseRedisAddress(url.includes("?") ? url : `${url}?timeout=5000`);
  if (typeof address === "string") throw new Error(address);
  const lines: string[] = [];
  const log = createLog((level, message) => lines.push(`${level} ${message}`), "info");
  const redis = await openRedis({ address, log });
  onTestFinished(() => redis.close());
  return { redis, lines };
}

async function server(options: Parameters<typeof startRedis>[0] = {}): Promise<RedisServer> {
  const started = await startRedis(options);
  onTestFinished(() => started.close());
  return started;
}

const isBack = (redis: Redis) => () => redis.state().state === "connected";
const isAway = (redis: Redis) => () => redis.state().state === "degraded";

describe.skipIf(!HAS_REDIS)("the connection to Redis", () => {
  test("sends commands and scripts under its prefix, and reports what Redis refuses", async () => {
    const { url, cli } = await server();
    const { redis } = await open(`${url}?prefix=a:&timeout=5000`);
    expect(await redis.send(["SET", redis.key("name"), "Ann"])).toBe("OK");
    expect(await redis.send(["GET", redis.key("name")])).toBe("Ann");
    expect(cli("GET", "a:name").trim()).toBe("Ann");
    const script = "return redis.call('INCRBY', KEYS[1], ARGV[1])";
    expect(await redis.evaluate(script, [redis.key("n")], ["2"])).toBe(2);
    cli("SCRIPT", "FLUSH");
    expect(await redis.evaluate(script, [redis.key("n")], ["3"])).toBe(5);
    await expect(redis.send(["INCR", redis.key("name")])).rejects.toThrow(/not an integer/);
    expect(redis.state().state).toBe("connected");
  });

  test("a killed connection is replaced unnoticed: commands wait for it, and messages arrive again", async () => {
    const { url, cli } = await server();
    const { redis, lines } = await open(url);
    const received: string[] = [];
    await redis.subscribe(redis.key("bus"), (message) => received.push(message));
    for (let round = 0; round < 5; round++) {
      cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
      cli("CLIENT", "KILL", "TYPE", "pubsub");
      expect(await redis.send(["SET", redis.key("round"), String(round)])).toBe("OK");
      expect(await redis.publish(redis.key("bus"), `round ${round}`)).toBe(1);
      await waitUntil("the message arrives", () => received.includes(`round ${round}`));
    }
    expect(received).toHaveLength(5);
    expect(lines).toEqual([]);
  });

  test("redis: calls without an answer end within the time-out, later ones at once, with one log line for each change", async () => {
    const redisServer = await server();
    const { redis, lines } = await open(`${redisServer.url}?timeout=200`);
    const back: boolean[] = [];
    redis.onConnect(({ wasAway }) => back.push(wasAway));
    redisServer.freeze();
    const calls = Array.from({ length: 50 }, () => redis.send(["GET", redis.key("a")]));
    for (const call of await Promise.allSettled(calls)) expect(call.status).toBe("rejected");
    // Without waiting for Redis again: no timer is needed for it.
    const atOnce = redis.send(["GET", redis.key("a")]).catch((error: Error) => error.name);
    const turns = (async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    })();
    expect(await Promise.race([atOnce, turns])).toBe("RedisAway");
    redis.write(["SET", redis.key("queued"), "1"]);
    redis.write(["INCR", redis.key("queued")]);
    expect(redis.state()).toMatchObject({ state: "degraded", queued: { writes: 2, dropped: 0 } });
    redisServer.thaw();
    await waitUntil("redis is back", isBack(redis));
    await waitUntil("the queue is empty", () => redis.state().queued.writes === 0);
    expect(await redis.send(["GET", redis.key("queued")])).toBe("2");
    expect(back).toEqual([true]);
    expect(lines).toEqual([
      expect.stringMatching(/^warn redis redis:\/\/127\.0\.0\.1:\d+ is away, continuing without it: /),
      expect.stringMatching(/^info redis redis:\/\/127\.0\.0\.1:\d+ is back$/),
    ]);
  });

  test("a server that restarts with an empty memory is used again, and subscriptions live on", async () => {
    const redisServer = await server();
    const { redis, lines } = await open(redisServer.url);
    const received: string[] = [];
    await redis.subscribe(redis.key("bus"), (message) => received.push(message));
    await redisServer.stop();
    await waitUntil("the outage is noticed", isAway(redis));
    await redisServer.start();
    await waitUntil("redis is back", isBack(redis));
    await redis.publish(redis.key("bus"), "hello");
    await waitUntil("the message arrives", () => received.length === 1);
    expect(lines).toHaveLength(2);
  });

  test("a server that is not there at the start is no failure, and is found later", async () => {
    const port = await freePort();
    const { redis, lines } = await open(`redis://127.0.0.1:${port}`);
    await waitUntil("the outage is noticed", isAway(redis));
    const later = await server({ port });
    await waitUntil("redis is found", isBack(redis));
    expect(await redis.send(["PING"])).toBe("PONG");
    expect(later.cli("PING").trim()).toBe("PONG");
    expect(lines).toHaveLength(2);
  });

  test("user and password are used, and never in a line", async () => {
    const { url, cli } = await server();
    cli("ACL", "SETUSER", "ann", "on", ">hunter2", "~*", "&*", "+@all");
    cli("ACL", "SETUSER", "default", "off");
    const { redis } = await open(url.replace("://", "://ann:hunter2@"));
    expect(await redis.send(["ACL", "WHOAMI"])).toBe("ann");
    const refused = await open(url.replace("://", "://ann:hunter3@"));
    await waitUntil("the refusal is noticed", isAway(refused.redis));
    expect(refused.lines.join("\n")).toMatch(/WRONGPASS/);
    expect(refused.lines.join("\n")).not.toContain("hunter3");
    expect(JSON.stringify(refused.redis.state())).not.toContain("hunter3");
  });

  test("the queue drops its oldest writes when an outage lasts too long, and says so once", async () => {
    const redisServer = await server();
    const { redis, lines } = await open(redisServer.url);
    await redisServer.stop();
    await waitUntil("the outage is noticed", isAway(redis));
    for (let index = 0; index < 10_002; index++) redis.write(["RPUSH", redis.key("list"), String(index)]);
    expect(redis.state().queued).toEqual({ writes: 10_000, dropped: 2 });
    await redisServer.start();
    await waitUntil("the queue is empty", () => redis.state().queued.writes === 0);
    expect(await redis.send(["LLEN", redis.key("list")])).toBe(10_000);
    expect(await redis.send(["LINDEX", redis.key("list"), "0"])).toBe("2");
    expect(await redis.send(["LINDEX", redis.key("list"), "-1"])).toBe("10001");
    expect(lines.filter((line) => line.includes("dropped"))).toHaveLength(1);
  });

  test("a cluster is used by its slots", async () => {
    // By default nodes talk to each other on a port 10,000 higher, which the system may have given to somebody else.
    const bus = String(await freePort());
    const node = await server({ args: ["--cluster-enabled", "yes", "--cluster-port", bus] });
    node.cli("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await waitUntil("the cluster is up", async () =>
      (await node.ask("CLUSTER INFO")).includes("cluster_state:ok"),
    );
    const { redis } = await open(`redis+cluster://127.0.0.1:${node.port}`);
    const received: string[] = [];
    await redis.subscribe(redis.key("bus"), (message) => received.push(message));
    for (const name of ["a", "b", "c"]) expect(await redis.send(["SET", redis.key(name), name])).toBe("OK");
    expect(await redis.evaluate("return redis.call('GET', KEYS[1])", [redis.key("b")], [])).toBe("b");
    await redis.publish(redis.key("bus"), "hello");
    await waitUntil("the message arrives", () => received.length === 1);
    await node.stop();
    await expect(redis.send(["GET", redis.key("a")])).rejects.toMatchObject({ name: "RedisAway" });
    await waitUntil("the outage is noticed", isAway(redis));
  });

  test("sentinels name the primary, also after it changed", async () => {
    const first = await server();
    const second = await server({ args: ["--replicaof", "127.0.0.1", String(first.port)] });
    const folder = await mkdtemp(path.join(tmpdir(), "sentinel-"));
    const config = path.join(folder, "sentinel.conf");
    const lines = [
      `sentinel monitor main 127.0.0.1 ${first.port} 1`,
      "sentinel down-after-milliseconds main 500",
      "sentinel failover-timeout main 3000",
    ];
    writeFileSync(config, `${lines.join("\n")}\n`);
    await waitUntil("the replica follows", async () =>
      (await second.ask("INFO replication")).includes("link_status:up"),
    );
    const sentinel = await server({ sentinel: config });
    await waitUntil("the sentinel knows the replica", async () =>
      (await sentinel.ask("SENTINEL replicas main")).includes(String(second.port)),
    );
    const { redis } = await open(`redis+sentinel://127.0.0.1:${sentinel.port}/main`);
    const received: string[] = [];
    await redis.subscribe(redis.key("bus"), (message) => received.push(message));
    expect(await redis.send(["SET", redis.key("a"), "1"])).toBe("OK");
    await first.stop();
    await waitUntil(
      "the other one is the primary",
      async () => (await second.ask("ROLE")).includes("master"),
      60_000,
    );
    await waitUntil(
      "it is used",
      async () => (await redis.send(["SET", redis.key("a"), "2"]).catch(() => "")) === "OK",
    );
    expect(second.cli("GET", redis.key("a")).trim()).toBe("2");
    await waitUntil("messages arrive", async () => {
      await redis.publish(redis.key("bus"), "hello").catch(() => {});
      return received.length > 0;
    });
  }, 90_000);
});
