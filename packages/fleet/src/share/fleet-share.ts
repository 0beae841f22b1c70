import { randomUUID } from "node:crypto";
import { createFleetUsage, type FleetUsage, type UsageSettings } from "#usage";
import { createEventLog } from "../events/event-log.ts";
import { createSlots } from "../limits/slots.ts";
import { createTokenBuckets } from "../limits/token-buckets.ts";
import type { Redis } from "../redis.ts";

/** What the app counts together with other replicas. */
export interface FleetShare {
  /** Of callers, for the edges that limit them. */
  readonly rates: ReturnType<typeof createTokenBuckets>;
  readonly usage: FleetUsage;
  /** Takes a place for a script of this caller; undefined when all are taken. The returned function frees it. */
  readonly enterScript: (caller: string, most: number) => Promise<(() => void) | undefined>;
}

/** A killed replica frees its places for scripts after this time. */
const SCRIPT_TTL_MS = 30_000;

/** `callerAs` is how usage names callers. */
export function createFleetShare(
  redis: Redis,
  ownFolder: string,
  callerAs: NonNullable<UsageSettings["caller"]> = "hash",
): FleetShare {
  const scripts = createSlots(redis, { name: "scripts", ttlMs: SCRIPT_TTL_MS });
  return {
    rates: createTokenBuckets(redis),
    usage: createFleetUsage(createEventLog(redis), ownFolder, callerAs, (listener) =>
      redis.onConnect(listener),
    ),
    enterScript: (caller, most) => scripts.occupy(caller, randomUUID(), most),
  };
}
