import type { ScriptRunner } from "../../library/scripts/script-runner.ts";
import type { SandboxMode } from "../config/settings.ts";

/** Loaded when the first script runs: most servers never run one. */
export function createLazyRunner(
  policy: () => SandboxMode,
  log: (line: string) => void,
): { readonly open: () => Promise<ScriptRunner>; readonly close: () => Promise<void> } {
  let runner: Promise<ScriptRunner> | undefined;
  return {
    open() {
      runner ??= import("../../library/scripts/script-runner.ts").then(({ createScriptRunner }) =>
        createScriptRunner({ policy: policy(), environment: process.env, log }),
      );
      return runner;
    },
    close: async () => (await runner)?.close(),
  };
}
