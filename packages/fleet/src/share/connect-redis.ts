import path from "node:path";
import { type ConfigValues, loadConfig, ownConfigFile, parseRedisAddress } from "#config";
import { homeFolder, type Log, NO_LOG } from "#util";
import { Refusal } from "#util/pure";
import type { Redis } from "../redis.ts";
import type { FleetShare } from "./fleet-share.ts";

/** Connects to the Redis that a flag or a setting names; undefined without one, and then nothing of it is loaded. */
export async function connectRedis(
  flag: string | undefined,
  setting: string | undefined,
  log: Log,
): Promise<Redis | undefined> {
  const text = flag ?? setting;
  if (text === undefined) return undefined;
  const address = parseRedisAddress(text);
  // The text is not repeated: it may contain a password.
  if (typeof address === "string") throw wrongFlag(`The value of --redis ${address}.`);
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

/** Connects for a command that shows what is in Redis: at an address, or at that of the settings. Without Redis it is refused. */
export async function connectToRead(
  address: string | undefined,
  userDir: string | undefined,
  log: Log,
): Promise<Redis> {
  const ownFile = ownConfigFile(path.resolve(userDir ?? homeFolder()));
  const setting =
    address ??
    (await loadConfig({ libraryFiles: [], ownFile, environment: process.env, log })).values.server.redis;
  if (setting === undefined)
    throw wrongFlag(
      "--redis needs the address of a Redis: skills-mcp stats --redis redis://host:6379, or set SKILLS_REDIS.",
    );
  const redis = await connectRedis(setting, undefined, NO_LOG);
  const state = redis?.state();
  if (redis !== undefined && state?.state === "connected") return redis;
  await redis?.close();
  const parsed = parseRedisAddress(setting);
  const shown = typeof parsed === "string" ? "" : parsed.shown;
  throw redisAway(`at ${shown} does not answer: ${state?.reason ?? "no connection"}`);
}

/** `why` goes on after "Redis". */
export function redisAway(why = "does not answer"): Refusal {
  return new Refusal(`Redis ${why}.`, { code: "unreachable", url: "redis" });
}

function wrongFlag(message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag: "--redis" });
}
