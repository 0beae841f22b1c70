import type { Redis } from "./redis.ts";

/** Takes a lease that nobody has, or prolongs one's own. */
const TAKE = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Whether this replica is the one that does something for a while. Only one is, as long as Redis answers; without it each
 * replica does it itself.
 */
export async function takeLease(redis: Redis, name: string, ms: number): Promise<boolean> {
  try {
    const args = [redis.replica, String(Math.max(1, Math.round(ms)))];
    return (await redis.evaluate(TAKE, [redis.key(`lease:${name}`)], args)) === 1;
  } catch {
    return true;
  }
}
