import type { Redis } from "../redis.ts";
import { shortDigest } from "./slots.ts";

/** What a request takes from one bucket, which fills with `perSecond` tokens up to `burst`. */
export interface Taking {
  /** Of the bucket, among those of its owner. */
  readonly name: string;
  readonly burst: number;
  readonly perSecond: number;
  readonly wanted: number;
  /** What this request took before. One that wants more than `burst` passes if the bucket was full when it began. */
  readonly taken: number;
}

/** Takes from all buckets of an owner, or from none. Redis' clock counts, so that clocks of replicas need not agree. */
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local wait = 0
local levels = {}
for i, key in ipairs(KEYS) do
  local burst, rate = tonumber(ARGV[i * 4 - 3]), tonumber(ARGV[i * 4 - 2])
  local wanted, taken = tonumber(ARGV[i * 4 - 1]), tonumber(ARGV[i * 4])
  local known = redis.call('HMGET', key, 'left', 'at')
  local level = burst
  if known[1] then
    local passed = math.max(0, now - tonumber(known[2]))
    level = math.min(burst, tonumber(known[1]) + passed / 1000 * rate)
  end
  local missing = math.min(wanted, burst - taken) - level
  if missing > 0 then wait = math.max(wait, math.ceil(missing / rate)) end
  levels[i] = level - wanted
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  local burst, rate = tonumber(ARGV[i * 4 - 3]), tonumber(ARGV[i * 4 - 2])
  redis.call('HSET', key, 'left', tostring(levels[i]), 'at', string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil((burst - levels[i]) / rate * 1000) + 1000)
end
return 0
`;

/** Rates that count across replicas. */
export interface TokenBuckets {
  /** 0 if the tokens were taken, else the seconds to wait; undefined if Redis does not answer. */
  take(owner: string, takings: readonly Taking[]): Promise<number | undefined>;
}

export function createTokenBuckets(redis: Redis): TokenBuckets {
  return {
    async take(owner, takings) {
      // In braces, because the buckets of an owner are taken from at once.
      const keys = takings.map(({ name }) => redis.key(`rate:{${shortDigest(owner)}}:${name}`));
      const args = takings.flatMap(({ burst, perSecond, wanted, taken }) =>
        [burst, perSecond, wanted, taken].map(String),
      );
      try {
        return Number(await redis.evaluate(TAKE, keys, args, { once: true }));
      } catch {
        // Redis is away, or its operator forbids scripts: each replica then counts alone.
        return undefined;
      }
    },
  };
}
