import { onTestFinished } from "vitest";
import { connectRedis, type Fleet, openFleet } from "#fleet";
import { logTo } from "../../../../../test/support/log.ts";
import { type RedisServer, startRedis } from "../../../../../test/support/redis-server.ts";
import type { Sandbox } from "../../../../../test/support/sandbox.ts";
import { type OpenHttp, type OpenHttpOptions, openHttp } from "../../open-http.ts";

export interface Replica extends OpenHttp {
  readonly fleet: Fleet;
}

/** A Redis of the test's own. */
export async function testRedis(): Promise<RedisServer> {
  const server = await startRedis();
  onTestFinished(() => server.close());
  return server;
}

/** Servers that share a Redis, in this process. With a long time-out: other tests run at the same time. */
export async function openReplicas(
  sandbox: Sandbox,
  { url }: RedisServer,
  count: number,
  options: OpenHttpOptions & { readonly timeoutMs?: number; readonly idleMs?: number } = {},
): Promise<readonly Replica[]> {
  const replicas: Replica[] = [];
  for (let index = 0; index < count; index++) {
    const log = logTo(() => {});
    const redis = await connectRedis(`${url}?timeout=${options.timeoutMs ?? 3_000}`, undefined, log);
    if (redis === undefined) throw new Error("no address of a Redis");
    const fleet = await openFleet(redis, options.idleMs ?? 60_000, log);
    onTestFinished(async () => {
      fleet.close();
      await redis.close();
    });
    const opened = await openHttp(sandbox, {
      ...options,
      http: { ...options.http, fleet, limits: { lingerMs: 0, ...options.http?.limits } },
    });
    replicas.push({ ...opened, fleet });
  }
  return replicas;
}
