import { onTestFinished } from "vitest";
import { connectRedis, type Fleet } from "#fleet";
import { NO_LOG } from "#util";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** A real redis-server for one test. */
export async function redisForTest(): Promise<RedisServer> {
  const server = await startRedis();
  onTestFinished(() => server.close());
  return server;
}

/** A connection as a replica has it, with a long time-out, unless the test is about it: other tests run at the same time. */
export async function connectTo({ url }: RedisServer, timeoutMs = 5_000): Promise<Fleet["redis"]> {
  const redis = await connectRedis(`${url}?timeout=${timeoutMs}`, undefined, NO_LOG);
  if (redis === undefined) throw new Error("no address of a Redis");
  onTestFinished(() => redis.close());
  return redis;
}
