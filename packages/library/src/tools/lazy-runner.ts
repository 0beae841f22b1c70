import type { SandboxMode } from "#config";
import type { Log, ObserveWork, WorkResult } from "#util";
import { defined } from "#util/pure";
import type { ScriptOutcome } from "../scripts/script-run.ts";
import type { ScriptRunner } from "../scripts/script-runner.ts";

/** Runs scripts. Its code is loaded with the first script: most servers never run one. */
export function createLazyRunner(
  policy: () => SandboxMode,
  project: string,
  { observe, log }: { readonly observe: ObserveWork; readonly log: Log },
) {
  let layer: string | undefined;
  let runner: Promise<ScriptRunner> | undefined;
  const noteSandbox = (opened: ScriptRunner): ScriptRunner => ({
    ...opened,
    async run(run) {
      const outcome = await observe({
        kind: "script",
        facts: { script: run.label },
        run: () => opened.run(run),
        describe: describeRun,
      });
      layer = outcome.sandbox;
      return outcome;
    },
  });
  return {
    open(): Promise<ScriptRunner> {
      runner ??= import("../scripts/script-runner.ts").then(({ createScriptRunner }) =>
        noteSandbox(createScriptRunner({ policy: policy(), environment: process.env, project, log })),
      );
      return runner;
    },
    /** The sandbox of the last script; undefined before the first one ran. */
    lastSandbox: () => layer,
    close: async (): Promise<void> => (await runner)?.close(),
  };
}

function describeRun({ success, exitCode, sandbox, timedOut, flooded }: ScriptOutcome): WorkResult {
  const failed = timedOut ? "timeout" : flooded ? "output_limit" : success ? undefined : "exit_code";
  return { facts: { exit_code: exitCode, sandbox }, ...defined({ failed }) };
}
