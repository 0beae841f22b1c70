import type { FleetUsage } from "#usage";
import { daysBetween, pseudonymOf, type QueryText, readFleetDays, readSalt, writeSalt } from "#usage";
import { createEventLog } from "../events/event-log.ts";
import type { Redis } from "../redis.ts";

export function openFleetUsage(redis: Redis, ownFolder: string, callerAs: QueryText): FleetUsage {
  const log = createEventLog(redis);
  const { salt, close } = createFleetSalt(redis, log, ownFolder);
  return {
    log,
    salt,
    async days(span, caller) {
      const days = daysBetween(span.since, span.until);
      if (caller === undefined) return readFleetDays(log, days);
      // Nobody knows whose events they were.
      if (callerAs === "off") return [];
      return readFleetDays(log, days, callerAs === "full" ? caller : pseudonymOf(caller, await salt()));
    },
    close,
  };
}

/**
 * The key of digests that all replicas have in common: the first one's. Each stores it as its own, so that an outage changes
 * nothing, and suggests it again to a Redis that has lost it.
 */
function createFleetSalt(redis: Redis, log: ReturnType<typeof createEventLog>, ownFolder: string) {
  let agreed: Promise<string> | undefined;
  async function agree(): Promise<string> {
    const own = await readSalt(ownFolder);
    const common = await log.agreeOn("salt", own);
    if (common !== own) await writeSalt(ownFolder, common);
    return common;
  }
  const stop = redis.onConnect(() => {
    agreed = undefined;
  });
  return {
    async salt(): Promise<string> {
      agreed ??= agree();
      try {
        return await agreed;
      } catch {
        agreed = undefined;
        return readSalt(ownFolder);
      }
    },
    close: stop,
  };
}
