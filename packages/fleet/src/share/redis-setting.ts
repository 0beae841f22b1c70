import { parseRedisAddress, type RedisAddress } from "#config";
import { Refusal } from "#util/pure";

/** The address that a flag or a setting names; undefined without one. */
export function redisAddress(
  flag: string | undefined,
  setting: string | undefined,
): RedisAddress | undefined {
  const text = flag ?? setting;
  if (text === undefined) return undefined;
  const address = parseRedisAddress(text);
  if (typeof address !== "string") return address;
  // Not repeated: it may contain a password.
  throw new Refusal(`The value of --redis ${address}.`, { code: "bad-usage", flag: "--redis" });
}
