import { type ConfigValues, DEFAULT_VALUES, type SandboxMode } from "#config";
import type { Places } from "#skills";
import { type Log, type ObserveWork, UNOBSERVED, type WorkResult } from "#util";
import { defined, Refusal } from "#util/pure";
import type { ScriptOutcome } from "../scripts/script-run.ts";
import type { ScriptRunner } from "../scripts/script-runner.ts";

/** What decides how scripts run. */
export interface ScriptOptions {
  /** Settings of the library; the defaults when absent. */
  readonly config?: () => ConfigValues;
  /** The sandbox mode unless the settings have one. Default: `preferred`. */
  readonly sandboxDefault?: SandboxMode;
  /** True: scripts may not work in the project, only in the folders that the operator lists. */
  readonly remoteCallers?: boolean;
  readonly observe?: ObserveWork;
  readonly share?: SharedScriptSlots;
}

/** Where scripts run, the same for everyone. */
export type Scripts = ReturnType<typeof openScripts>;

export function openScripts(
  { config = () => DEFAULT_VALUES, sandboxDefault = "preferred", observe = UNOBSERVED, share }: ScriptOptions,
  { cwd }: Places,
  log: Log,
) {
  const policy = () => config().scripts.sandbox ?? sandboxDefault;
  const runner = createLazyRunner(policy, cwd, { observe, log });
  return {
    open: runner.open,
    enter: createScriptSlots(share),
    /** `off`: scripts are disabled. */
    sandboxStatus: async () => (config().scripts.enabled ? (await runner.open()).sandbox() : "off"),
    lastSandbox: runner.lastSandbox,
    close: runner.close,
  };
}

/** Runs scripts. Its code is loaded with the first script: most servers never run one. */
function createLazyRunner(
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

function describeRun({ success, exitCode, sandbox, timedOut, filledDisk }: ScriptOutcome): WorkResult {
  const failed = timedOut ? "timeout" : filledDisk ? "disk_limit" : success ? undefined : "exit_code";
  return { facts: { exit_code: exitCode, sandbox }, ...defined({ failed }) };
}

/** Scripts of one authenticated caller that run or wait at the same time, on all replicas. */
const MOST_SCRIPTS = 4;

/** What counts the scripts of a caller on all replicas. */
export interface SharedScriptSlots {
  /** Takes a place for a script of this caller; undefined when all are taken. The returned function frees it. */
  readonly enterScript: (caller: string, most: number) => Promise<(() => void) | undefined>;
}

/** Resolves with a function to call once when the script has ended. */
type EnterScript = (caller: string | undefined, label: string) => Promise<() => void>;

/** Keeps one caller from taking all places of the machine that runs scripts. Without authentication callers are unknown, so nothing is counted. */
export function createScriptSlots(share: SharedScriptSlots | undefined): EnterScript {
  const own = new Map<string, number>();
  const countOf = (caller: string): number => own.get(caller) ?? 0;
  const leaveOwn = (caller: string): void => {
    if (countOf(caller) <= 1) own.delete(caller);
    else own.set(caller, countOf(caller) - 1);
  };
  return async (caller, label) => {
    if (caller === undefined) return () => {};
    if (countOf(caller) >= MOST_SCRIPTS) throw tooMany(label);
    own.set(caller, countOf(caller) + 1);
    // Where Redis does not answer, those of this replica count.
    const release = share === undefined ? () => {} : await share.enterScript(caller, MOST_SCRIPTS);
    if (release === undefined) {
      leaveOwn(caller);
      throw tooMany(label);
    }
    return () => {
      leaveOwn(caller);
      release();
    };
  };
}

function tooMany(label: string): Refusal {
  return new Refusal(
    `${label}: ${MOST_SCRIPTS} of your scripts are running or waiting, so this one was not started. Retry when one of them has ended.`,
    { code: "library", reason: "busy" },
  );
}
