import type { ScriptRunner } from "../../library/scripts/script-runner.ts";
import type { Log } from "../../system/log.ts";
import type { SandboxMode } from "../config/settings.ts";

interface LazyRunner {
  readonly open: () => Promise<ScriptRunner>;
  /** What kept the last script in bounds; undefined before the first one ran. */
  readonly sandbox: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** Loaded when the first script runs: most servers never run one. */
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
    sandbox: () => layer,
    close: async () => (await runner)?.close(),
  };
}
