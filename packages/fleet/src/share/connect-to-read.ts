import path from "node:path";
import { loadConfig, ownConfigFile } from "#config";
import { homeFolder, type Log, NO_LOG } from "#util";
import { Refusal } from "#util/pure";
import type { Redis } from "../redis.ts";
import { connectRedis } from "./connect-redis.ts";
import { redisAddress } from "./redis-setting.ts";

/** Connects for a command that shows what is in Redis: at an address, or at that of the settings. Without it there is nothing to show. */
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
    throw new Refusal(
      "--redis needs the address of a Redis: skills-mcp stats --redis redis://host:6379, or set SKILLS_REDIS.",
      { code: "bad-usage", flag: "--redis" },
    );
  const redis = await connectRedis(setting, undefined, NO_LOG);
  const state = redis?.state();
  if (redis !== undefined && state?.state === "connected") return redis;
  await redis?.close();
  const { shown } = redisAddress(setting, undefined) ?? { shown: "" };
  throw redisAway(`at ${shown} does not answer: ${state?.reason ?? "no connection"}`);
}

/** `why` goes on after "Redis". */
export function redisAway(why = "does not answer"): Refusal {
  return new Refusal(`Redis ${why}.`, { code: "unreachable", url: "redis" });
}
