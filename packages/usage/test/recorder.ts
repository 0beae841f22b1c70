import { recorderArguments, recordUntilKilled } from "../../../test/support/record-until-killed.ts";
import { createUsage } from "../src/create-usage.ts";

await recordUntilKilled(createUsage, recorderArguments());
