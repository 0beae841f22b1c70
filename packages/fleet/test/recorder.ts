import { createUsage } from "#usage";
import { NO_LOG } from "#util";
import { recorderArguments, recordUntilKilled } from "../../../test/support/record-until-killed.ts";
import { createEventLog } from "../src/events/event-log.ts";
import { connectRedis } from "../src/share/connect-redis.ts";

const options = recorderArguments();
const redis = await connectRedis(options.redis, undefined, NO_LOG);
if (redis === undefined) throw new Error("no address of a Redis");
// One that records without end will be killed, and is taken for dead soon; another one is only slow on a busy machine.
const claimAfterMs = options.wanted === 0 ? 500 : 60_000;
await recordUntilKilled(createUsage, options, createEventLog(redis, { claimAfterMs }));
await redis.close();
