import { availableParallelism } from "node:os";
import { isInside, type Log } from "#util";
import { Refusal } from "#util/pure";
import { runProcess } from "../process/run-process.ts";
import { isWritable, type Mount, planMounts } from "../sandbox/mounts.ts";
import { createPrivateFolder, type PrivateFolder } from "../sandbox/private-folder.ts";
import type { Machine } from "../sandbox/probe-sandbox.ts";
import { type createProtector, type Protection, protectedIn } from "../sandbox/protected-names.ts";
import { type LayeredLaunch, launchIn, type SandboxLayer } from "../sandbox/sandbox-layer.ts";
import { seccompProgram } from "../sandbox/seccomp.ts";
import { ownAbilities, typescriptArguments, typescriptRegister } from "../typescript/typescript-arguments.ts";
import { resolveRunner } from "./resolve-runner.ts";
import { holdRunFolders, type RunFolders } from "./run-folders.ts";
import { argumentVariables } from "./script-arguments.ts";
import {
  contentFolders,
  homeFolders,
  homeFrom,
  scriptEnvironment,
  searchPath,
} from "./script-environment.ts";
import { cancelled, type ScriptOutcome, type ScriptRun, scriptOutcome, startFailure } from "./script-run.ts";

export interface LayerRun {
  readonly machine: Machine;
  readonly protector: ReturnType<typeof createProtector>;
  readonly graceMs: number;
  readonly cancelGraceMs: number;
  readonly log: Log;
}

/** For all files together; a single one may have 64 MiB. */
export const MOST_DISK_BYTES = 512 * 1024 ** 2;
const NO_PROTECTION: Protection = { held: [], pinned: [], problem: undefined, release: async () => [] };

/** Runs a script, and removes everything that was made for it. */
export async function runInLayer(
  run: ScriptRun,
  layer: SandboxLayer,
  options: LayerRun,
  signal: AbortSignal,
): Promise<ScriptOutcome> {
  const sandboxed = layer.kind !== "none";
  const homes = homeFolders(homeFrom(options.machine.environment));
  const folders = holdRunFolders(run, sandboxed, homes);
  try {
    const folder = await createPrivateFolder({
      script: sandboxed ? run.content : undefined,
      seccomp: layer.kind === "bubblewrap" ? deniedCalls(layer.seccomp, run.network) : undefined,
    });
    try {
      return await runWith({ run, layer, folders, folder, homes }, options, signal);
    } finally {
      await folder
        .remove()
        .catch((error: unknown) => options.log.warn(`cannot remove ${folder.path}: ${String(error)}`));
    }
  } finally {
    folders.close();
  }
}

/** The system calls that fail for a script: with the network, more of them. */
function deniedCalls(usual: Buffer | undefined, network: boolean): Buffer | undefined {
  return usual !== undefined && network ? seccompProgram(process.arch, { network }) : usual;
}

interface Prepared {
  readonly run: ScriptRun;
  readonly layer: SandboxLayer;
  readonly folders: RunFolders;
  readonly folder: PrivateFolder;
  readonly homes: readonly string[];
}

async function runWith(prepared: Prepared, options: LayerRun, signal: AbortSignal): Promise<ScriptOutcome> {
  const { run, layer, folders } = prepared;
  const mayWrite = isWritable({ ...folders, cwdWritable: run.cwdWritable });
  const protection =
    layer.kind === "bubblewrap" && mayWrite
      ? await options.protector.protect(folders.cwd.path, [folders.root.path, ...run.trusted])
      : NO_PROTECTION;
  let outcome: ScriptOutcome;
  let replaced: readonly string[] = [];
  try {
    const launch = planLaunch(prepared, protection, options.machine);
    outcome = await execute(
      run,
      layer,
      launch,
      { ...options, warning: warningOf(layer, protection) },
      signal,
    );
  } finally {
    replaced = await protection.release();
  }
  const warnings = [outcome.warning ?? [], replaced].flat();
  return warnings.length === 0 ? outcome : { ...outcome, warning: warnings.join(" ") };
}

function warningOf(layer: SandboxLayer, { problem }: Protection): string | undefined {
  if (layer.kind === "none") {
    return `The script ran without a sandbox, so it could read and change whatever the server's user can: ${layer.reason}. ${layer.way}`;
  }
  return problem === undefined
    ? undefined
    : `The working folder was read-only: ${problem}. Name another folder as cwd to write there.`;
}

function planLaunch(
  { run, layer, folders, folder, homes }: Prepared,
  protection: Protection,
  { environment, content, platform, inherited, isReal }: Machine,
): LayeredLaunch {
  const runner = resolveRunner({
    ...run,
    searchPath: searchPath(environment),
    homes,
    content: [...content, ...contentFolders([run.cwd, run.root, ...run.folders], homes)],
    platform,
    environment,
    isReal,
    node: process.execPath,
    typescript: () => typescriptArguments(ownAbilities(), typescriptRegister()),
    sandboxed: layer.kind !== "none",
  });
  const mounts = planMounts({
    ...folders,
    program: runner.places,
    cwdWritable: run.cwdWritable && protection.problem === undefined,
    protectedPaths: layer.kind === "seatbelt" ? deniedIn(run) : protection.held,
    pinned: protection.pinned,
  });
  return launchIn(layer, {
    command: runner.command,
    cwd: folders.cwd.path,
    environment: scriptEnvironment(environment, folder, argumentVariables(run.label, run.args), platform),
    mounts: folder.script === undefined ? mounts : [...mounts, copyMount(run.file, folder.script)],
    folder,
    network: run.network,
    inherited,
    // Threads use processor time in parallel, so this limit never comes before the timeout.
    cpuSeconds: Math.ceil((run.timeoutMs / 1000) * availableParallelism()) + 60,
  });
}

/** Seatbelt knows paths, so what does not exist can be protected too. */
const deniedIn = ({ cwd, trusted }: ScriptRun) =>
  [...protectedIn(cwd), ...trusted.filter((place) => isInside(cwd, place))].map((place) => ({ path: place }));

const copyMount = (file: string, copy: string): Mount => ({ path: file, access: "read", from: copy });

async function execute(
  run: ScriptRun,
  layer: SandboxLayer,
  launch: LayeredLaunch,
  { graceMs, cancelGraceMs, warning }: LayerRun & { readonly warning: string | undefined },
  signal: AbortSignal,
): Promise<ScriptOutcome> {
  const { timeoutMs, maxOutputBytes } = run;
  const limits = { timeoutMs, graceMs, cancelGraceMs, maxOutputBytes, diskBytes: MOST_DISK_BYTES };
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
  return scriptOutcome(end, { sandbox: layer.kind, warning });
}

export const noSandbox = (message: string): Refusal =>
  new Refusal(message, { code: "library", reason: "no-sandbox" });
