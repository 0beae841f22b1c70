import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { expandHome, isInside } from "#util";
import { Refusal } from "#util/pure";
import { isProtectedName } from "../sandbox/protected-names.ts";

/** The folders that a client may name as a working directory. */
export interface WorkingFolders {
  readonly project: string;
  readonly home: string;
  /** False: remote callers may use only the listed folders. */
  readonly projectAllowed: boolean;
  /** More folders that the operator lists (scripts.folders). */
  readonly listed: readonly string[];
}

export interface WorkingFolder {
  readonly folder: string;
  readonly writable: boolean;
}

/**
 * The folder a script works in: the requested one if it is allowed. By default the server's own working folder, if that is
 * allowed and a project, or else the script's folder, which it can only read.
 */
export async function resolveWorkingFolder(
  given: string | undefined,
  own: string,
  { project, home, projectAllowed, listed }: WorkingFolders,
): Promise<WorkingFolder> {
  const here = await realpath(project).catch(() => undefined);
  const ofProject = projectAllowed && here !== undefined && isProject(project, home) ? [here] : [];
  const ofOperator = await realFolders(listed);
  const isAllowed = (folder: string): boolean =>
    [...ofProject, ...ofOperator].some((each) => isInside(each, folder));
  /** Below a folder that was listed; and in a repository, since a server can be started in any of its folders. */
  const refuseTrusted = async (folder: string, shown: string): Promise<WorkingFolder> => {
    const repositories = await Promise.all(ofProject.map(repositoryAround));
    const around = [...repositories, ...ofOperator].filter((each) => isInside(each, folder));
    const names = around.map((each) => path.relative(each, folder).split(path.sep).find(isProtectedName));
    if (names.includes(undefined)) return { folder, writable: true };
    throw badFolder(
      `Scripts may not work in "${shown}": ${names[0]} is a folder that other programs trust. Name a folder outside of it as cwd, or list this one in scripts.folders in ~/.skills-mcp/config.yaml.`,
    );
  };
  if (given === undefined || given === "") {
    const isUsed = here !== undefined && isProject(here, home) && isAllowed(here);
    return isUsed ? refuseTrusted(here, here) : { folder: await realpath(own), writable: false };
  }
  const wanted = path.resolve(project, expandHome(given, home));
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined) {
    throw badFolder(`The folder "${given}" does not exist. Name an existing one as cwd, or leave cwd out.`);
  }
  if (!(await stat(real)).isDirectory()) {
    throw badFolder(`"${given}" is not a folder. Name a folder as cwd, or leave cwd out.`);
  }
  if (isAllowed(real)) return refuseTrusted(real, given);
  throw badFolder(
    `Scripts may not work in "${given}": it is outside ${projectAllowed ? "the project" : "the folders that the operator lists"}. The operator can allow it with scripts.folders in ~/.skills-mcp/config.yaml.`,
  );
}

/** The nearest folder with a `.git`, from this one up; this one if there is none. */
async function repositoryAround(folder: string): Promise<string> {
  for (let dir = folder; dir !== path.dirname(dir); dir = path.dirname(dir)) {
    const marker = await stat(path.join(dir, ".git")).catch(() => undefined);
    if (marker !== undefined) return dir;
  }
  return folder;
}

/**
 * Desktop clients start servers in `/` or in the home folder: neither means that everything below is a project. Nor is a folder
 * of the system, which a sandbox hides.
 */
function isProject(project: string, home: string): boolean {
  return !isInside(project, home) && !SYSTEM.some((folder) => isInside(folder, project));
}

const SYSTEM = ["/proc", "/sys", "/dev", "/run", "/etc", "/boot"];

async function realFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return found.filter((folder) => folder !== undefined);
}

function badFolder(message: string): Refusal {
  return new Refusal(message, { code: "library", reason: "bad-folder" });
}
