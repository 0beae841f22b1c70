import { describe, expect, test } from "vitest";
import { openFleetShare } from "#fleet";
import { connectTo, redisForTest } from "../../../../test/support/open-redis.ts";
import { HAS_REDIS } from "../../../../test/support/redis-server.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { createScriptSlots } from "../../src/tools/open-scripts.ts";

const TOO_MANY =
  "a: b.sh: 4 of your scripts are running or waiting, so this one was not started. Retry when one of them has ended.";

test("a caller has four places, and others have theirs; without authentication nobody is counted", async () => {
  const enter = createScriptSlots(undefined);
  const leave = await Promise.all([1, 2, 3, 4].map(() => enter("ann", "a: b.sh")));
  await expect(enter("ann", "a: b.sh")).rejects.toThrow(TOO_MANY);
  await enter("bob", "a: b.sh");
  for (let n = 0; n < 10; n++) await enter(undefined, "a: b.sh");
  leave[0]?.();
  await enter("ann", "a: b.sh");
  await expect(enter("ann", "a: b.sh")).rejects.toThrow(TOO_MANY);
});

describe.skipIf(!HAS_REDIS)("with replicas", () => {
  test("the places are those of all of them, and those of one alone while Redis is away", async () => {
    const server = await redisForTest();
    const [a, b] = await Promise.all(
      [1, 2].map(async () =>
        createScriptSlots(await openFleetShare(await connectTo(server, 1_000), "/nowhere")),
      ),
    );
    if (a === undefined || b === undefined) throw new Error("two replicas");
    const leave = await Promise.all([a, a, b, b].map((enter) => enter("ann", "a: b.sh")));
    await expect(a("ann", "a: b.sh")).rejects.toThrow(TOO_MANY);
    await expect(b("ann", "a: b.sh")).rejects.toThrow(TOO_MANY);
    leave[0]?.();
    await waitUntil("a place is free", () =>
      b("ann", "a: b.sh").then(
        () => true,
        () => false,
      ),
    );
    await server.stop();
    await Promise.all([1, 2, 3].map(() => a("ann", "a: b.sh")));
    await expect(a("ann", "a: b.sh")).rejects.toThrow(TOO_MANY);
  });
});
