import { realpathSync } from "node:fs";
import path from "node:path";
import { isInside } from "#util";
import { Refusal } from "#util/pure";
import { type HeldPath, holdPath } from "../sandbox/held-path.ts";
import type { ScriptRun } from "./script-run.ts";

/** These describe the whole machine, so a script that sees them is not in a sandbox. */
const MACHINE = ["/proc", "/sys", "/dev", "/run", "/etc", "/boot"] as const;

/** The folders of a run, held: what is swapped in at their paths later is not used. */
export interface RunFolders {
  readonly library: readonly HeldPath[];
  readonly root: HeldPath;
  readonly cwd: HeldPath;
  close(): void;
}

export function holdRunFolders(run: ScriptRun, sandboxed: boolean, homes: readonly string[]): RunFolders {
  const held: HeldPath[] = [];
  const hold = (folder: string, isRight: (place: string) => boolean): HeldPath => {
    const found = holdFolder(run, folder);
    held.push(found);
    if (isRight(found.path)) return found;
    throw refuse(run, `${folder} was replaced while the script was started. Retry.`);
  };
  const close = (): void => {
    for (const each of held) each.close();
  };
  try {
    const cwd = hold(run.cwd, (place) => place === run.cwd);
    const root = hold(run.root, (place) => place === run.root);
    const library = run.folders.map((folder) => hold(folder, (place) => isInside(run.root, place)));
    const reason = sandboxed ? whyExposed(cwd.path, homes) : undefined;
    if (reason !== undefined) throw refuse(run, `${reason} Pass a project folder as cwd.`);
    if (sandboxed && library.some((folder) => whyExposed(folder.path, homes) !== undefined)) {
      throw refuse(
        run,
        "its folder contains what the sandbox hides. Move the library to a folder of its own.",
      );
    }
    return { library, root, cwd, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Why a script in a sandbox cannot work in a folder: it contains what the sandbox must hide. Undefined when it can. */
function whyExposed(folder: string, homes: readonly string[]): string | undefined {
  if (folder === path.parse(folder).root) return `a script in a sandbox cannot work in ${folder}.`;
  if (homes.some((home) => isInside(folder, home))) {
    return `the working folder ${folder} contains the home folder, which the sandbox hides.`;
  }
  if (MACHINE.some((place) => isInside(place, folder))) {
    return `a script in a sandbox cannot work in ${folder}, a system folder.`;
  }
  return undefined;
}

function holdFolder(run: ScriptRun, folder: string): HeldPath {
  try {
    const found = holdPath(realpathSync.native(folder));
    if (found.kind === "folder") return found;
    found.close();
  } catch {
    // Refused below.
  }
  throw refuse(run, `${folder} does not exist or is not a folder. Pass an existing folder.`);
}

const refuse = (run: ScriptRun, reason: string): Refusal =>
  new Refusal(`${run.label}: ${reason}`, { code: "library", reason: "bad-folder" });
