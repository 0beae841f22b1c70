import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../skill/refusal.ts";
import { isInside } from "../sandbox/mounts.ts";
import type { ScriptRun } from "./script-run.ts";

/** The folders of a run by their real paths. */
export interface RunFolders {
  readonly library: readonly string[];
  readonly cwd: string;
}

/** They contain the whole machine or a live view of it, so a script that sees them is not in a sandbox. */
const MACHINE = ["/proc", "/sys", "/dev", "/run", "/etc", "/boot"] as const;

export function findRunFolders(run: ScriptRun): RunFolders {
  const cwd = realFolder(run, run.cwd);
  const folders = run.folders.map((folder) => realFolder(run, folder));
  const file = folders.some((folder) => isInside(run.file, folder)) ? [] : [run.file];
  return { library: [...folders, ...file], cwd };
}

/** Refuses folders that contain what the sandbox must hide. */
export function checkSandboxFolders(
  run: ScriptRun,
  { library, cwd }: RunFolders,
  homes: readonly string[],
): void {
  const root = path.parse(cwd).root;
  if (cwd === root || library.includes(root)) {
    throw refuse(run, `a script in a sandbox cannot work in ${root}. Pass a project folder as cwd.`);
  }
  if (homes.some((home) => isInside(home, cwd))) {
    throw refuse(
      run,
      `the working folder ${cwd} contains the home folder, which the sandbox hides. Pass a folder below it as cwd.`,
    );
  }
  if (MACHINE.some((folder) => isInside(cwd, folder))) {
    throw refuse(
      run,
      `a script in a sandbox cannot work in ${cwd}, a system folder. Pass another folder as cwd.`,
    );
  }
}

function realFolder(run: ScriptRun, folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch {
    // Refused below.
  }
  throw refuse(run, `${folder} does not exist or is not a folder. Pass an existing folder.`);
}

const refuse = (run: ScriptRun, reason: string): Refusal =>
  new Refusal(`${run.label}: ${reason}`, { code: "library", reason: "bad-folder" });
