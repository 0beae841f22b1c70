import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { expandHome, isInside } from "#util";
import { Refusal } from "#util/pure";

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
  const projects = projectAllowed && isProject(project, home) ? [project] : [];
  const allowed = await realFolders([...projects, ...listed]);
  if (given === undefined || given === "") {
    const here = await realpath(project).catch(() => undefined);
    const isUsed =
      here !== undefined && isProject(here, home) && allowed.some((folder) => isInside(folder, here));
    return isUsed ? { folder: here, writable: true } : { folder: await realpath(own), writable: false };
  }
  const wanted = path.resolve(project, expandHome(given, home));
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined) {
    throw badFolder(`The folder "${given}" does not exist. Name an existing one as cwd, or leave cwd out.`);
  }
  if (!(await stat(real)).isDirectory()) {
    throw badFolder(`"${given}" is not a folder. Name a folder as cwd, or leave cwd out.`);
  }
  if (allowed.some((folder) => isInside(folder, real))) return { folder: real, writable: true };
  throw badFolder(
    `Scripts may not work in "${given}": it is outside ${projectAllowed ? "the project" : "the folders that the operator lists"}. The operator can allow it with scripts.folders in ~/.skills-mcp/config.yaml.`,
  );
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
