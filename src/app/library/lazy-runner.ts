import type { ScriptRunner } from "../../library/scripts/script-runner.ts";
import type { Log } from "../../system/log.ts";
import type { SandboxMode } from "../config/settings.ts";

/** Runs scripts. Its code is loaded with the first script: most servers never run one. */
export function createLazyRunner(policy: () => SandboxMode, log: Log) {
  let layer: string | undefined;
  let runner: Promise<ScriptRunner> | undefined;
  const noteSandbox = (opened: ScriptRunner): ScriptRunner => ({
    ...opened,
    async run(run) {
      const outcome = await opened.run(run);
      layer = outcome.sandbox;
      return outcome;
    },
  });
  return {
    open(): Promise<ScriptRunner> {
      runner ??= import("../../library/scripts/script-runner.ts").then(({ createScriptRunner }) =>
        noteSandbox(createScriptRunner({ policy: policy(), environment: process.env, log })),
      );
      return runner;
    },
    /** The sandbox of the last script; undefined before the first one ran. */
    lastSandbox: () => layer,
    close: async (): Promise<void> => (await runner)?.close(),
  };
}
