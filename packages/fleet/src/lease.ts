import type { Redis } from "./redis.ts";

/** Takes a lease that no replica has, or prolongs that of this replica. */
const TAKE = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/**
 * Takes the lease `name` for a time; true if this replica has it now. At most one has it while Redis answers; without an answer
 * every replica may act, so it is true.
 */
export async function takeLease(redis: Redis, name: string, ms: number): Promise<boolean> {
  try {
    const args = [redis.replica, String(Math.max(1, Math.round(ms)))];
    return (await redis.evaluate(TAKE, [redis.key(`lease:${name}`)], args)) === 1;
  } catch {
    return true;
  }
}
