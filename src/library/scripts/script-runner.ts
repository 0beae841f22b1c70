import { availableParallelism } from "node:os";
import { Refusal } from "../../skill/refusal.ts";
import type { Log } from "../../system/log.ts";
import { eitherSignal } from "../process/either-signal.ts";
import { runProcess } from "../process/run-process.ts";
import { startFailure } from "../process/start-failure.ts";
import { planMounts } from "../sandbox/mounts.ts";
import { createPrivateFolder, type PrivateFolder } from "../sandbox/private-folder.ts";
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { type LayeredLaunch, launchIn, type SandboxLayer } from "../sandbox/sandbox-layer.ts";
import { homeFolders, homeFrom } from "./home-folders.ts";
import { resolveRunner } from "./resolve-runner.ts";
import { checkSandboxFolders, findRunFolders, type RunFolders } from "./run-folders.ts";
import { cancelled, createRunQueue } from "./run-queue.ts";
import { argumentVariables } from "./script-arguments.ts";
import { scriptEnvironment, searchPath } from "./script-environment.ts";
import { scriptOutcome } from "./script-outcome.ts";
import type { SandboxStatus, ScriptOutcome, ScriptRun } from "./script-run.ts";

export interface ScriptRunnerOptions {
  /** `scripts.sandbox`: refuse without one, use one if there is one, or never use one. */
  readonly policy: "required" | "preferred" | "off";
  /** Scripts that run at the same time. */
  readonly atOnce?: number;
  /** Scripts that may wait for their turn; more are refused. */
  readonly waiting?: number;
  /** From SIGTERM to SIGKILL after a time-out. */
  readonly graceMs?: number;
  /** From SIGTERM to SIGKILL after a cancellation. A server that ends waits for it, and has two seconds for everything. */
  readonly cancelGraceMs?: number;
  /** The server's environment. Scripts see PATH, HOME and the locale of it. */
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

export interface ScriptRunner {
  run(run: ScriptRun): Promise<ScriptOutcome>;
  /** Which sandbox scripts get; found out by trying, at the first call. */
  sandbox(): Promise<SandboxStatus>;
  /** Ends everything that runs or waits, and resolves when nothing is left. */
  close(): Promise<void>;
}

/** Verbose scripts are cut and run on; only one that writes far more than anybody reads is ended. */
const LEAST_FLOOD_BYTES = 64 * 1024 ** 2;
const FLOOD_TIMES_CAP = 64;

export function createScriptRunner(options: ScriptRunnerOptions): ScriptRunner {
  const { environment, policy, log, graceMs = 5000, cancelGraceMs = 500 } = options;
  const home = homeFrom(environment);
  const homes = homeFolders(home);
  const queue = createRunQueue(options.atOnce ?? 4, options.waiting ?? 16);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let probed: Promise<SandboxLayer> | undefined;

  function findLayer(): Promise<SandboxLayer> {
    probed ??= probe().catch((error: unknown) => {
      // Nothing was found out, so the next script tries again.
      probed = undefined;
      throw error;
    });
    return probed;
  }

  async function probe(): Promise<SandboxLayer> {
    if (policy === "off") return { kind: "none", reason: "scripts.sandbox is off" };
    const layer = await probeSandbox(environment, process.platform, closing.signal);
    if (layer.kind === "none" && policy === "preferred" && !closing.signal.aborted) {
      log.warn(`scripts run without a sandbox: ${layer.reason}. ${toGetOne(process.platform)}`.trimEnd());
    }
    return layer;
  }

  async function start(run: ScriptRun, signal: AbortSignal): Promise<ScriptOutcome> {
    const layer = await findLayer();
    if (signal.aborted) throw cancelled(run.label);
    if (layer.kind === "none" && policy === "required") {
      throw noSandbox(
        `${run.label}: scripts.sandbox is required, and there is no sandbox: ${layer.reason}. ` +
          `${toGetOne(process.platform)} With scripts.sandbox set to preferred, scripts run without one.`,
      );
    }
    const folders = findRunFolders(run);
    if (layer.kind !== "none") checkSandboxFolders(run, folders, homes);
    const folder = await createPrivateFolder();
    try {
      return await execute(run, layer, plan(run, layer, folders, folder), signal);
    } finally {
      await folder
        .remove()
        .catch((error: unknown) => log.warn(`cannot remove ${folder.path}: ${String(error)}`));
    }
  }

  function plan(
    run: ScriptRun,
    layer: SandboxLayer,
    folders: RunFolders,
    folder: PrivateFolder,
  ): LayeredLaunch {
    const sandboxed = layer.kind !== "none";
    const runner = resolveRunner({
      label: run.label,
      runner: run.runner,
      file: run.file,
      cwd: folders.cwd,
      searchPath: searchPath(environment),
      homes,
      platform: process.platform,
      node: process.execPath,
      sandboxed,
    });
    const places = { home: sandboxed ? folder.home : home, temp: folder.temp };
    return launchIn(layer, {
      command: runner.command,
      cwd: folders.cwd,
      environment: scriptEnvironment(
        environment,
        places,
        argumentVariables(run.label, run.args),
        process.platform,
      ),
      mounts: planMounts({ ...folders, program: runner.places, cwdWritable: run.cwdWritable }),
      folder,
      // Threads use up processor time side by side, so this never comes before the time-out.
      cpuSeconds: Math.ceil((run.timeoutMs / 1000) * availableParallelism()) + 60,
    });
  }

  async function execute(
    run: ScriptRun,
    layer: SandboxLayer,
    launch: LayeredLaunch,
    signal: AbortSignal,
  ): Promise<ScriptOutcome> {
    const floodBytes = Math.max(LEAST_FLOOD_BYTES, run.maxOutputBytes * FLOOD_TIMES_CAP);
    const limits = {
      timeoutMs: run.timeoutMs,
      graceMs,
      cancelGraceMs,
      maxOutputBytes: run.maxOutputBytes,
      floodBytes,
    };
    const end = await runProcess(launch, limits, signal, run.onLine).catch((error: unknown) => {
      throw startFailure(run.label, launch.command, error);
    });
    if (end.why === "cancelled") throw cancelled(run.label);
    if (end.why === "exit" && launch.failedToStart(end)) {
      throw noSandbox(
        `${run.label}: the sandbox could not be started, so the script was not run: ${end.stderr.text.trim()}. ` +
          "Call it again; if it fails again, restart the server, which then looks for a sandbox anew.",
      );
    }
    return scriptOutcome(end, layer.kind, floodBytes);
  }

  async function enqueue(run: ScriptRun): Promise<ScriptOutcome> {
    // Refused before it waits for its turn.
    argumentVariables(run.label, run.args);
    const { signal, release } = eitherSignal(closing.signal, run.signal);
    try {
      const leave = await queue.enter(run.label, signal);
      try {
        return await start(run, signal);
      } finally {
        leave();
      }
    } finally {
      release();
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
      const layer = await findLayer().catch(asNone);
      return layer.kind === "none" ? { kind: "none", reason: layer.reason } : { kind: layer.kind };
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running, probed]);
    },
  };
}

/** Whoever only asks gets the reason as an answer. */
function asNone(error: unknown): SandboxLayer {
  if (error instanceof Refusal) return { kind: "none", reason: error.message };
  throw error;
}

const toGetOne = (platform: NodeJS.Platform): string =>
  platform === "linux" ? "Install bubblewrap and allow it to make user namespaces to get one." : "";

const noSandbox = (message: string): Refusal =>
  new Refusal(message, { code: "library", reason: "no-sandbox" });
