import { sha256 } from "#util";
import type { Redis } from "../redis.ts";

/** A name of any length and content as a part of a key. */
export function shortDigest(name: string): string {
  return sha256(name).toString("base64url").slice(0, 22);
}

/** A limited number of places for each owner, which count across replicas. */
export interface Slots {
  /** Takes a place; false if all are taken, undefined if Redis does not answer. Without `renew` it is free after `ttlMs`. */
  enter(owner: string, id: string, most: number): Promise<boolean | undefined>;
  /** Keeps a place for another `ttlMs`, in the background. */
  renew(owner: string, id: string): void;
  /** Frees a place, in the background. */
  leave(owner: string, id: string): void;
  /** Renews a place at intervals until the returned function is called, which frees it. */
  hold(owner: string, id: string): () => void;
  /**
   * Enters and holds; resolves with the function that frees it, or undefined when there is no place. When Redis does not answer
   * there is one, and it counts as soon as Redis is back.
   */
  occupy(owner: string, id: string, most: number): Promise<(() => void) | undefined>;
}

interface SlotOptions {
  /** What the places are for, as a part of keys. Places of one name count together, also with different times. */
  readonly name: string;
  /** How long a place is taken unless it is renewed: a killed replica frees its places by that. */
  readonly ttlMs: number;
}

/** Places are members of a sorted set, ordered by when they end. One that was entered before is renewed. */
const ENTER = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local ttl, most = tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= most then return 0 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last[2]) + 1000))
return 1
`;
/** More than any limit: a renewed place is never refused. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

export function createSlots(redis: Redis, { name, ttlMs }: SlotOptions): Slots {
  const keyOf = (owner: string): string => redis.key(`${name}:${shortDigest(owner)}`);
  const enter: Slots["enter"] = async (owner, id, most) => {
    try {
      return (await redis.evaluate(ENTER, [keyOf(owner)], [id, String(ttlMs), String(most)])) === 1;
    } catch {
      return undefined;
    }
  };
  const renew: Slots["renew"] = (owner, id) => void enter(owner, id, UNLIMITED);
  const leave: Slots["leave"] = (owner, id) => redis.write(["ZREM", keyOf(owner), id]);
  const hold: Slots["hold"] = (owner, id) => {
    const timer = setInterval(() => renew(owner, id), ttlMs / 3).unref();
    return () => {
      clearInterval(timer);
      leave(owner, id);
    };
  };
  return {
    enter,
    renew,
    leave,
    hold,
    occupy: async (owner, id, most) =>
      (await enter(owner, id, most)) === false ? undefined : hold(owner, id),
  };
}
