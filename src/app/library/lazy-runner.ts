import type { ScriptRunner } from "../../library/scripts/script-runner.ts";
import type { Log } from "../../system/log.ts";
import type { SandboxMode } from "../config/settings.ts";

/** Runs scripts. Its code is loaded with the first script: most servers never run one. */
interface LazyRunner {
  readonly open: () => Promise<ScriptRunner>;
  /** The sandbox of the last script; undefined before the first one ran. */
  readonly lastSandbox: () => string | undefined;
  readonly close: () => Promise<void>;
}

export function createLazyRunner(policy: () => SandboxMode, log: Log): LazyRunner {
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
    open() {
      runner ??= import("../../library/scripts/script-runner.ts").then(({ createScriptRunner }) =>
        noteSandbox(createScriptRunner({ policy: policy(), environment: process.env, log })),
      );
      return runner;
    },
    lastSandbox: () => layer,
    close: async () => (await runner)?.close(),
  };
}
