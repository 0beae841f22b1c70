import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { Refusal } from "../../skill/refusal.ts";
import { isInside } from "../../system/files/inside.ts";
import type { ScriptRun } from "./script-run.ts";

/** These describe the whole machine, so a script that sees them is not in a sandbox. */
const MACHINE = ["/proc", "/sys", "/dev", "/run", "/etc", "/boot"] as const;

/** The folders of a run by their real paths. */
export function findRunFolders(run: ScriptRun, sandboxed: boolean, homes: readonly string[]) {
  const cwd = realFolder(run, run.cwd);
  const folders = run.folders.map((folder) => realFolder(run, folder));
  const file = folders.some((folder) => isInside(folder, run.file)) ? [] : [run.file];
  const library = [...folders, ...file];
  if (sandboxed) refuseExposed(run, cwd, library, homes);
  return { library, cwd };
}

/** Refuses folders that contain what the sandbox must hide. */
function refuseExposed(
  run: ScriptRun,
  cwd: string,
  library: readonly string[],
  homes: readonly string[],
): void {
  const root = path.parse(cwd).root;
  if (cwd === root || library.includes(root)) {
    throw refuse(run, `a script in a sandbox cannot work in ${root}. Pass a project folder as cwd.`);
  }
  if (homes.some((home) => isInside(cwd, home))) {
    throw refuse(
      run,
      `the working folder ${cwd} contains the home folder, which the sandbox hides. Pass a folder below it as cwd.`,
    );
  }
  if (MACHINE.some((folder) => isInside(folder, cwd))) {
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
