export type { TokenBuckets } from "./limits/token-buckets.ts";
export { connectRedis, connectToRead, openFleetShare, redisAway } from "./share/connect-redis.ts";
export type { FleetShare } from "./share/fleet-share.ts";
export { type FleetHealth, followFleet, mayPoll } from "./share/follow-fleet.ts";
export { type Fleet, openFleet } from "./share/open-fleet.ts";
