import type { ScriptRun } from "../../../src/library/scripts/script-run.ts";
import { createScriptRunner } from "../../../src/library/scripts/script-runner.ts";

/** A server that runs one script, for a test that kills it. */
const runner = createScriptRunner({ policy: "required", environment: process.env, log: () => {} });
await runner.run(JSON.parse(process.argv[2] ?? "") as ScriptRun);
