import { describe, expect, test } from "vitest";
import { connectTo, redisForTest } from "../../../test/support/open-redis.ts";
import { HAS_REDIS } from "../../../test/support/redis-server.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { createEventLog } from "../src/events/event-log.ts";

const texts = (entries: readonly { readonly text: string }[]): readonly string[] =>
  entries.map(({ text }) => text);

describe.skipIf(!HAS_REDIS)("the log that replicas share", () => {
  test("read: each entry goes to one replica, and the log is empty once they are delivered", async () => {
    const server = await redisForTest();
    const a = createEventLog(await connectTo(server));
    const b = createEventLog(await connectTo(server));
    const added = await a.add("one", ["1", "2", "3"], []);
    const first = await a.read(2);
    const second = await b.read(2);
    expect([texts(first), texts(second)]).toEqual([["1", "2"], ["3"]]);
    expect(await b.status()).toEqual({ epoch: (added as { epoch: string }).epoch, first: first[0]?.id });
    await a.done(first.map(({ id }) => id));
    expect(await a.status()).toMatchObject({ first: second[0]?.id });
    await b.done(second.map(({ id }) => id));
    expect(await a.status()).toMatchObject({ first: "" });
    expect(server.cli("XLEN", "skills-mcp:{usage}:events").trim()).toBe("0");
    expect(await a.read(2)).toEqual([]);
  });

  test("add: a batch is added once, with its counts, and gets a receipt", async () => {
    const log = createEventLog(await connectTo(await redisForTest()));
    const counts = [
      {
        name: "day",
        most: 3,
        fields: new Map([
          ["a", 1],
          ["b", 2],
        ]),
      },
      { name: "notes", most: 2, lines: ["x", "y", "z"] },
    ];
    const receipt = await log.add("one", ["1"], counts);
    expect(await log.add("one", ["1"], counts)).toEqual(receipt);
    expect(
      await log.add(
        "two",
        [],
        [
          {
            name: "day",
            most: 3,
            fields: new Map([
              ["b", 1],
              ["c", 1],
              ["d", 5],
              ["e", 1],
            ]),
          },
        ],
      ),
    ).toMatchObject({ last: "" });
    expect(texts(await log.read(10))).toEqual(["1"]);
    // What has no room is counted together.
    expect(await log.counts(["day", "none"])).toEqual([
      new Map([
        ["a", 1],
        ["b", 3],
        ["c", 1],
        ["more", 6],
      ]),
      new Map(),
    ]);
    expect(await log.lines(["notes", "none"])).toEqual([["y", "z"], []]);
  });

  test("add: is full when nobody delivers, and accepts more once somebody does", async () => {
    const log = createEventLog(await connectTo(await redisForTest()), { mostEntries: 3 });
    expect(await log.add("one", ["1", "2", "3"], [])).not.toBe("full");
    expect(await log.add("two", ["4"], [])).toBe("full");
    const read = await log.read(10);
    await log.done(read.map(({ id }) => id));
    expect(await log.add("two", ["4"], [])).not.toBe("full");
  });

  test("what a dead replica did not deliver is given to another, and what is held is not", async () => {
    const server = await redisForTest();
    const dead = createEventLog(await connectTo(server));
    const alive = createEventLog(await connectTo(server), { claimAfterMs: 300 });
    const holding = createEventLog(await connectTo(server));
    await dead.add("one", ["1", "2"], []);
    expect(texts(await dead.read(1))).toEqual(["1"]);
    const held = await holding.read(1);
    expect(texts(held)).toEqual(["2"]);
    let claimed: readonly string[] = [];
    await waitUntil("it is claimed", async () => {
      await holding.hold(held.map(({ id }) => id));
      claimed = texts(await alive.read(5));
      return claimed.length > 0;
    });
    expect(claimed).toEqual(["1"]);
  });

  test("a Redis that lost its memory is another epoch, with or without a restart", async () => {
    const server = await redisForTest();
    const log = createEventLog(await connectTo(server));
    const before = await log.add("one", ["1"], []);
    server.cli("FLUSHALL");
    expect(await log.status()).toEqual({ epoch: "", first: "" });
    expect(await log.read(5)).toEqual([]);
    const after = await log.add("one", ["1"], []);
    expect(after).not.toMatchObject({ epoch: (before as { epoch: string }).epoch });
    await server.stop();
    await server.start();
    let restarted: unknown;
    await waitUntil("Redis is back", async () => {
      restarted = await log.add("one", ["1"], []).catch(() => undefined);
      return restarted !== undefined;
    });
    expect(restarted).not.toMatchObject({ epoch: (after as { epoch: string }).epoch });
    expect(texts(await log.read(5))).toEqual(["1"]);
  });

  test("agreeOn: all replicas get the text that was suggested first", async () => {
    const server = await redisForTest();
    const logs = await Promise.all([1, 2, 3].map(async () => createEventLog(await connectTo(server))));
    const agreed = await Promise.all(logs.map((log, index) => log.agreeOn("salt", `mine ${index}`)));
    expect(new Set(agreed).size).toBe(1);
  });
});
