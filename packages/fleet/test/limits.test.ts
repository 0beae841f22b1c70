import { describe, expect, test } from "vitest";
import { connectTo, redisForTest } from "../../../test/support/open-redis.ts";
import { HAS_REDIS } from "../../../test/support/redis-server.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { createSlots } from "../src/limits/slots.ts";
import { createTokenBuckets, type Taking } from "../src/limits/token-buckets.ts";

const RARE = 1 / 600;
const one = (burst: number, wanted = 1, taken = 0): readonly Taking[] => [
  { name: "read", burst, perSecond: RARE, wanted, taken },
];

describe.skipIf(!HAS_REDIS)("rates of a fleet", () => {
  test("token buckets: all replicas together pass as many requests as the limit allows", async () => {
    const server = await redisForTest();
    const replicas = await Promise.all(
      [1, 2, 3].map(async () => createTokenBuckets(await connectTo(server))),
    );
    const taken = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => replicas[n % 3]?.take("ann", one(20))),
    );
    expect(taken.filter((wait) => wait === 0)).toHaveLength(20);
    expect(taken.filter((wait) => wait !== 0).every((wait) => wait === 600)).toBe(true);
    expect(await replicas[0]?.take("bob", one(20))).toBe(0);
  });

  test("tokens come back at their rate, and a bucket that is full again is forgotten", async () => {
    const server = await redisForTest();
    const buckets = createTokenBuckets(await connectTo(server));
    const fast = [{ name: "read", burst: 2, perSecond: 20, wanted: 2, taken: 0 }];
    expect(await buckets.take("ann", fast)).toBe(0);
    expect(await buckets.take("ann", fast)).toBe(1);
    await waitUntil("two came back", async () => (await buckets.take("ann", fast)) === 0);
    expect(server.cli("KEYS", "*").trim()).toMatch(/^skills-mcp:rate:\{[\w-]{22}\}:read$/);
    await waitUntil("the key expires", async () => (await server.ask("DBSIZE")).startsWith(":0"));
  });

  test("several buckets are taken from together or not at all, and a batch leaves a debt", async () => {
    const buckets = createTokenBuckets(await connectTo(await redisForTest()));
    const run: Taking = { name: "run", burst: 1, perSecond: RARE, wanted: 1, taken: 0 };
    expect(await buckets.take("ann", [run, ...one(2)])).toBe(0);
    expect(await buckets.take("ann", [run, ...one(2)])).toBe(600);
    // The second one took nothing from the other bucket.
    expect(await buckets.take("ann", one(2))).toBe(0);
    expect(await buckets.take("bob", one(3, 5))).toBe(0);
    expect(await buckets.take("bob", one(3))).toBe(1800);
  });
});

describe.skipIf(!HAS_REDIS)("slots of a fleet", () => {
  test("no more than allowed are taken, and a place that is left is free again", async () => {
    const server = await redisForTest();
    const [a, b] = await Promise.all(
      [1, 2].map(async () => createSlots(await connectTo(server), { name: "scripts", ttlMs: 60_000 })),
    );
    const entered = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => (n % 2 === 0 ? a : b)?.enter("ann", `id-${n}`, 4)),
    );
    expect(entered.filter((one) => one === true)).toHaveLength(4);
    expect(await a?.enter("bob", "id-1", 4)).toBe(true);
    const [first] = entered.flatMap((is, n) => (is === true ? [`id-${n}`] : []));
    // Entering twice takes one place.
    expect(await b?.enter("ann", first ?? "", 4)).toBe(true);
    b?.leave("ann", first ?? "");
    await waitUntil("there is a place", async () => (await a?.enter("ann", "another", 4)) === true);
    expect(await a?.enter("ann", "one more", 4)).toBe(false);
  });

  test("places of a killed replica are free after a while, and those that are renewed are not", async () => {
    const server = await redisForTest();
    const slots = createSlots(await connectTo(server), { name: "scripts", ttlMs: 600 });
    expect(await slots.enter("ann", "killed", 2)).toBe(true);
    expect(await slots.enter("ann", "alive", 2)).toBe(true);
    const release = slots.hold("ann", "alive");
    expect(await slots.enter("ann", "next", 2)).toBe(false);
    await waitUntil("the place is free", async () => (await slots.enter("ann", "next", 2)) === true);
    slots.leave("ann", "next");
    await waitUntil("it has left", async () => (await slots.enter("ann", "another", 2)) === true);
    expect(await slots.enter("ann", "third", 2)).toBe(false);
    release();
  });

  test("enter is undefined while Redis is away", async () => {
    const server = await redisForTest();
    const slots = createSlots(await connectTo(server, 250), { name: "scripts", ttlMs: 600 });
    await server.stop();
    expect(await slots.enter("ann", "one", 2)).toBeUndefined();
  });
});
