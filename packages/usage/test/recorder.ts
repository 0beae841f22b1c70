import { NO_LOG } from "#util";
import { logTo } from "../../../test/support/log.ts";
import { createUsage } from "../src/create-usage.ts";

/**
 * A server as far as usage goes, to be killed: records one event after another, and prints the name of each that is safe.
 * Arguments: the folder, the endpoint, a name, how many events to record before it closes (0: no end), and the address of a Redis
 * that it shares with others.
 */
const [folder = "", endpoint = "", name = "", wanted = "0", redisUrl = ""] = process.argv.slice(2);

/** Loaded on demand: the client of Redis takes longer to load than the rest. */
async function joinFleet() {
  const { createEventLog } = await import("../../fleet/src/events/event-log.ts");
  const { openRedis } = await import("../../fleet/src/redis.ts");
  const { parseRedisAddress } = await import("../../config/src/redis-address.ts");
  const address = parseRedisAddress(redisUrl);
  if (typeof address === "string") throw new Error(address);
  const redis = await openRedis({ address, log: NO_LOG });
  // One that records without end will be killed, and is taken for dead soon; another one is only slow on a busy machine.
  const claimAfterMs = wanted === "0" ? 500 : 60_000;
  return { close: () => redis.close(), shared: createEventLog(redis, { claimAfterMs }) };
}

const fleet = redisUrl === "" ? undefined : await joinFleet();

const usage = createUsage({
  folder,
  endpoint,
  context: "full",
  history: false,
  serverId: `dev-${name}`,
  now: Date.now,
  log: logTo((line) => void process.stderr.write(`${line}\n`)),
  // No backoff: what is tested is what happens at every failure, and there should be many.
  random: () => 0,
  ...(fleet === undefined ? {} : { shared: fleet.shared }),
  timing: { intervalMs: 25, relayMs: 25, commitMs: 2, timeoutMs: 60_000 },
});

const last = Number(wanted) === 0 ? Number.POSITIVE_INFINITY : Number(wanted);
for (let n = 0; n < last; n++) {
  usage.record("no_match", { context: `${name}/${n}`, via: "get_skill" });
  if (n % 5 < 4) continue;
  const group = [4, 3, 2, 1, 0].map((back) => `${name}/${n - back}\n`).join("");
  if (await usage.saved()) process.stdout.write(group);
  await new Promise((resolve) => setTimeout(resolve, 2));
}
await usage.close(60_000);
await fleet?.close();
