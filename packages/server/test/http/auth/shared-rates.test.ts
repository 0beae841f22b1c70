import { describe, expect, test } from "vitest";
import { openFleetShare } from "#fleet";
import { connectTo, redisForTest } from "../../../../../test/support/open-redis.ts";
import { HAS_REDIS, type RedisServer } from "../../../../../test/support/redis-server.ts";
import { createSharedRates } from "../../../src/http/auth/rates.ts";

const RARE = 1 / 600;

describe.skipIf(!HAS_REDIS)("rates of a fleet", () => {
  const rates = {
    "skills:read": { burst: 4, perSecond: RARE },
    "skills:run": { burst: 2, perSecond: RARE },
    "skills:admin": { burst: 1, perSecond: RARE },
  };

  async function openRates(server: RedisServer) {
    const share = await openFleetShare(await connectTo(server, 250), "/nowhere");
    if (share === undefined) throw new Error("no Redis");
    return createSharedRates(rates, share.rates);
  }

  test("the limiter of a server counts with the others, and alone while Redis is away", async () => {
    const server = await redisForTest();
    const [a, b] = await Promise.all([1, 2].map(() => openRates(server)));
    if (a === undefined || b === undefined) throw new Error("two replicas");
    expect([
      await a.request("ann"),
      await b.request("ann"),
      await a.request("ann"),
      await b.request("ann"),
    ]).toEqual([0, 0, 0, 0]);
    expect(await a.request("ann")).toBe(600);
    expect(await a.messages("ann", ["skills:admin"])).toBe(0);
    expect(await b.messages("ann", ["skills:admin"])).toBe(600);
    expect(await b.messages("ann", ["skills:run", "skills:run"])).toBe(600);
    expect([await a.request(undefined), await a.messages(undefined, ["skills:admin"])]).toEqual([0, 0]);

    server.freeze();
    const began = performance.now();
    // Two of the four were here, and those count.
    expect([await a.request("ann"), await a.request("ann"), await a.request("ann")]).toEqual([0, 0, 600]);
    expect(await b.messages("ann", ["skills:admin"])).toBe(0);
    // The first waited for the time-out, the others for nothing.
    expect(performance.now() - began).toBeLessThan(1_500);
    server.thaw();
  });
});
