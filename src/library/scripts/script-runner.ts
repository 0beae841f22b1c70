import { availableParallelism } from "node:os";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import { runProcess } from "../process/run-process.ts";
import { planMounts } from "../sandbox/mounts.ts";
import { createPrivateFolder, type PrivateFolder } from "../sandbox/private-folder.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { type LayeredLaunch, launchIn, type SandboxLayer } from "../sandbox/sandbox-layer.ts";
import { resolveRunner } from "./resolve-runner.ts";
import { findRunFolders } from "./run-folders.ts";
import { createRunQueue } from "./run-queue.ts";
import { argumentVariables } from "./script-arguments.ts";
import { homeFolders, homeFrom, scriptEnvironment, searchPath } from "./script-environment.ts";
import {
  cancelled,
  type SandboxStatus,
  type ScriptOutcome,
  type ScriptRun,
  scriptOutcome,
  startFailure,
} from "./script-run.ts";

export interface ScriptRunnerOptions {
  /** `scripts.sandbox`: refuse scripts without one, use one if available, or never use one. */
  readonly policy: "required" | "preferred" | "off";
  /** Scripts that run at the same time. */
  readonly atOnce?: number;
  /** Scripts that may wait for their turn; further ones are refused. */
  readonly waiting?: number;
  /** From SIGTERM to SIGKILL after a timeout. */
  readonly graceMs?: number;
  /** From SIGTERM to SIGKILL after a cancellation. Shutdown waits for it, and has two seconds for everything. */
  readonly cancelGraceMs?: number;
  /** The server's environment, of which scripts see PATH, HOME and the locale. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

export interface ScriptRunner {
  run(run: ScriptRun): Promise<ScriptOutcome>;
  /** Which sandbox scripts get; probed at the first call. */
  sandbox(): Promise<SandboxStatus>;
  /** Ends all running and waiting scripts, and resolves when nothing is left. */
  close(): Promise<void>;
}

/** The output of a verbose script is cut while it runs on; only one that floods its output is killed. */
const LEAST_FLOOD_BYTES = 64 * 1024 ** 2;
const FLOOD_TIMES_CAP = 64;

export function createScriptRunner(options: ScriptRunnerOptions): ScriptRunner {
  const { policy } = options;
  const queue = createRunQueue(options.atOnce ?? 4, options.waiting ?? 16);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const finder = createSandboxFinder(options, closing.signal);

  async function start(run: ScriptRun, signal: AbortSignal): Promise<ScriptOutcome> {
    const layer = await finder.find();
    if (signal.aborted) throw cancelled(run.label);
    if (layer.kind === "none" && policy === "required") {
      throw noSandbox(
        `${run.label}: scripts.sandbox is required, but there is no sandbox: ${layer.reason}. ` +
          `${installHint()} Set scripts.sandbox to preferred to run scripts without one.`,
      );
    }
    return runInLayer(run, layer, options, signal);
  }

  async function enqueue(run: ScriptRun): Promise<ScriptOutcome> {
    // Bad arguments are refused before the script waits for its turn.
    argumentVariables(run.label, run.args);
    const signal = run.signal === undefined ? closing.signal : AbortSignal.any([closing.signal, run.signal]);
    const leave = await queue.enter(run.label, signal);
    try {
      return await start(run, signal);
    } finally {
      leave();
    }
  }

  return {
    run(run) {
      const outcome = enqueue(run);
      running.add(outcome);
      const done = (): boolean => running.delete(outcome);
      outcome.then(done, done);
      return outcome;
    },
    async sandbox() {
      const layer = await finder.find().catch((error: unknown): SandboxLayer => {
        if (error instanceof Refusal) return { kind: "none", reason: error.message };
        throw error;
      });
      return layer.kind === "none" ? layer : { kind: layer.kind };
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running, finder.pending()]);
    },
  };
}

/** Probes the sandbox once. */
function createSandboxFinder({ policy, environment, log }: ScriptRunnerOptions, closing: AbortSignal) {
  let probed: Promise<SandboxLayer> | undefined;

  async function probe(): Promise<SandboxLayer> {
    if (policy === "off") return { kind: "none", reason: "scripts.sandbox is off" };
    const layer = await probeSandbox(environment, process.platform, closing);
    if (layer.kind === "none" && policy === "preferred" && !closing.aborted)
      log.warn(`scripts run without a sandbox: ${layer.reason}. ${installHint()}`.trimEnd());
    return layer;
  }

  return {
    find(): Promise<SandboxLayer> {
      probed ??= probe().catch((error: unknown) => {
        // The probe itself failed, so the next script tries again.
        probed = undefined;
        throw error;
      });
      return probed;
    },
    pending: () => probed,
  };
}

async function runInLayer(
  run: ScriptRun,
  layer: SandboxLayer,
  options: ScriptRunnerOptions,
  signal: AbortSignal,
): Promise<ScriptOutcome> {
  const folder = await createPrivateFolder();
  try {
    return await execute(run, layer, planLaunch(run, layer, folder, options), options, signal);
  } finally {
    await folder
      .remove()
      .catch((error: unknown) => options.log.warn(`cannot remove ${folder.path}: ${String(error)}`));
  }
}

function planLaunch(
  run: ScriptRun,
  layer: SandboxLayer,
  folder: PrivateFolder,
  { environment }: ScriptRunnerOptions,
): LayeredLaunch {
  const { platform } = process;
  const sandboxed = layer.kind !== "none";
  const home = homeFrom(environment);
  const homes = homeFolders(home);
  const folders = findRunFolders(run, sandboxed, homes);
  const runner = resolveRunner({
    ...run,
    cwd: folders.cwd,
    searchPath: searchPath(environment),
    homes,
    platform,
    node: process.execPath,
    sandboxed,
  });
  const places = { home: sandboxed ? folder.home : home, temp: folder.temp };
  return launchIn(layer, {
    command: runner.command,
    cwd: folders.cwd,
    environment: scriptEnvironment(environment, places, argumentVariables(run.label, run.args), platform),
    mounts: planMounts({ ...folders, program: runner.places, cwdWritable: run.cwdWritable }),
    folder,
    // Threads use processor time in parallel, so this limit never comes before the timeout.
    cpuSeconds: Math.ceil((run.timeoutMs / 1000) * availableParallelism()) + 60,
  });
}

async function execute(
  run: ScriptRun,
  layer: SandboxLayer,
  launch: LayeredLaunch,
  { graceMs = 5000, cancelGraceMs = 500 }: ScriptRunnerOptions,
  signal: AbortSignal,
): Promise<ScriptOutcome> {
  const { timeoutMs, maxOutputBytes } = run;
  const floodBytes = Math.max(LEAST_FLOOD_BYTES, maxOutputBytes * FLOOD_TIMES_CAP);
  const limits = { timeoutMs, graceMs, cancelGraceMs, maxOutputBytes, floodBytes };
  const end = await runProcess(launch, limits, signal, run.onLine).catch((error: unknown) => {
    throw startFailure(run.label, launch.command, error);
  });
  if (end.why === "cancelled") throw cancelled(run.label);
  if (end.why === "exit" && launch.failedToStart(end)) {
    throw noSandbox(
      `${run.label}: the sandbox could not be started, so the script did not run: ${end.stderr.text.trim()}. ` +
        "Retry; if it fails again, restart the server, which probes the sandbox again.",
    );
  }
  return scriptOutcome(end, layer.kind, floodBytes);
}

const installHint = (): string =>
  process.platform === "linux" ? "Install bubblewrap and allow it to create user namespaces." : "";

const noSandbox = (message: string): Refusal =>
  new Refusal(message, { code: "library", reason: "no-sandbox" });
