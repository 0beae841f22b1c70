import { onTestFinished } from "vitest";
import { parseRedisAddress } from "#config";
import type { Redis } from "#fleet";
import { NO_LOG } from "#util";
import { openRedis } from "../../packages/fleet/src/redis.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** A real redis-server for one test. */
export async function redisForTest(): Promise<RedisServer> {
  const server = await startRedis();
  onTestFinished(() => server.close());
  return server;
}

/** A connection as a replica has it, with a long time-out, unless the test is about it: other tests run at the same time. */
export async function connectTo({ url }: RedisServer, timeoutMs = 5_000): Promise<Redis> {
  const address = parseRedisAddress(`${url}?timeout=${timeoutMs}`);
  if (typeof address === "string") throw new Error(address);
  const redis = await openRedis({ address, log: NO_LOG });
  onTestFinished(() => redis.close());
  return redis;
}
