import { createTokenBuckets } from "../../fleet/limits/token-buckets.ts";
import type { AppOptions } from "../options.ts";
import { openFleetUsage } from "./fleet-usage.ts";

/** What the app counts together with other replicas; undefined: this server is the only one. */
export function openFleetShare({ redis, usage }: AppOptions, ownFolder: string) {
  if (redis === undefined) return undefined;
  return {
    /** Of callers, for the edges that limit them. */
    rates: createTokenBuckets(redis),
    usage: openFleetUsage(redis, ownFolder, usage?.caller ?? "hash"),
  };
}
