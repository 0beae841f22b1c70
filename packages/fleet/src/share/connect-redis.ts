import type { ConfigValues } from "#config";
import type { Log } from "#util";
import type { Redis } from "../redis.ts";
import type { FleetShare } from "./fleet-share.ts";
import { redisAddress } from "./redis-setting.ts";

/** Connects to the Redis that a flag or a setting names; undefined without one, and then nothing of it is loaded. */
export async function connectRedis(
  flag: string | undefined,
  setting: string | undefined,
  log: Log,
): Promise<Redis | undefined> {
  const address = redisAddress(flag, setting);
  if (address === undefined) return undefined;
  const { openRedis } = await import("../redis.ts");
  const redis = await openRedis({ address, log });
  if (redis.state().state === "connected") log.info(`connected to redis ${address.shown}`);
  return redis;
}

/** What the app counts through a Redis; `callerAs` is how usage names callers. Loaded on demand, because most servers are alone. */
export async function openFleetShare(
  redis: Redis | undefined,
  ownFolder: string,
  callerAs?: ConfigValues["analytics"]["caller"],
): Promise<FleetShare | undefined> {
  if (redis === undefined) return undefined;
  const { createFleetShare } = await import("./fleet-share.ts");
  return createFleetShare(redis, ownFolder, callerAs);
}
