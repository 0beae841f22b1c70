import type { Log } from "#util";
import { platform } from "#util";
import { Refusal } from "#util/pure";
import { type Machine, markWith, probeSandbox } from "../sandbox/probe-sandbox.ts";
import { createProtector } from "../sandbox/protected-names.ts";
import type { SandboxLayer } from "../sandbox/sandbox-layer.ts";
import { noSandbox, runInLayer } from "./run-in-layer.ts";
import { createRunQueue } from "./run-queue.ts";
import { argumentVariables } from "./script-arguments.ts";
import { contentFolders, homeFolders, homeFrom } from "./script-environment.ts";
import { cancelled, type SandboxStatus, type ScriptOutcome, type ScriptRun } from "./script-run.ts";

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
  /** The server's environment, of which scripts see PATH and the locale. */
  readonly environment: NodeJS.ProcessEnv;
  /** The server's working folder: whoever writes there must not choose programs. */
  readonly project?: string;
  readonly isRoot?: boolean;
  readonly log: Log;
}

export interface ScriptRunner {
  run(run: ScriptRun): Promise<ScriptOutcome>;
  /** Which sandbox scripts get; probed at the first call. */
  sandbox(): Promise<SandboxStatus>;
  /** Ends all running and waiting scripts, and resolves when nothing is left. */
  close(): Promise<void>;
}

export function createScriptRunner(options: ScriptRunnerOptions): ScriptRunner {
  const { policy, log, graceMs = 5000, cancelGraceMs = 500 } = options;
  const queue = createRunQueue(options.atOnce ?? 4, options.waiting ?? 16);
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const machine = machineOf(options);
  const finder = createSandboxFinder(options, machine, closing.signal);
  const protector = createProtector();
  const warnOfRoot = createRootWarning(options);

  async function start(run: ScriptRun, signal: AbortSignal): Promise<ScriptOutcome> {
    const layer = await finder.find();
    if (signal.aborted) throw cancelled(run.label);
    if (layer.kind === "none" && policy === "required") {
      throw noSandbox(
        `${run.label}: scripts.sandbox is required, but there is no sandbox: ${layer.reason}. ` +
          `${layer.way} Set scripts.sandbox to preferred in your own settings to run scripts without one.`,
      );
    }
    warnOfRoot();
    return runInLayer(run, layer, { machine, protector, graceMs, cancelGraceMs, log }, signal);
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
        if (error instanceof Refusal) return { kind: "none", reason: error.message, way: "" };
        throw error;
      });
      return layer.kind === "none"
        ? { kind: "none", reason: layer.reason, way: layer.way, runs: policy !== "required" }
        : { kind: layer.kind };
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...running, finder.pending()]);
    },
  };
}

function machineOf({ environment, project }: ScriptRunnerOptions): Machine {
  const homes = homeFolders(homeFrom(environment));
  return {
    environment,
    platform,
    content: project === undefined ? [] : contentFolders([project], homes),
    inherited: platform.processes.inherited(),
    isReal: askedOnce(platform.programs.isReal),
  };
}

function askedOnce(isReal: Machine["isReal"]): Machine["isReal"] {
  const known = new Map<string, boolean>();
  return (name, command) => {
    const key = JSON.stringify([name, ...command]);
    const answer = known.get(key) ?? isReal(name, command);
    known.set(key, answer);
    return answer;
  };
}

/** Root's scripts own the machine's files, and no limit on their number holds for them. */
function createRootWarning({ log, isRoot = process.getuid?.() === 0 }: ScriptRunnerOptions): () => void {
  let isDue = isRoot;
  return () => {
    if (isDue)
      log.warn("the server runs as root, and so do its scripts; run it as a user without privileges");
    isDue = false;
  };
}

/** Probes the sandbox once. */
function createSandboxFinder({ policy, log }: ScriptRunnerOptions, machine: Machine, closing: AbortSignal) {
  let probed: Promise<SandboxLayer> | undefined;

  async function probe(): Promise<SandboxLayer> {
    if (policy === "off") {
      const way = "Set scripts.sandbox to preferred or required in your own settings to use one.";
      return { kind: "none", reason: "scripts.sandbox is off", way, ...markWith(machine) };
    }
    const layer = await probeSandbox(machine, closing);
    if (layer.kind === "none" && policy === "preferred" && !closing.aborted)
      log.warn(`scripts run without a sandbox: ${layer.reason}. ${layer.way}`.trimEnd());
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
