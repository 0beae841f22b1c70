import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { Refusal } from "../../skill/refusal.ts";
import { expandHome } from "../../system/home-folder.ts";
import { isInside } from "../../system/inside.ts";

/** Where scripts may work when a client names a folder. */
export interface WorkingFolders {
  readonly project: string;
  readonly home: string;
  /** False: whoever calls from elsewhere gets only what is listed. */
  readonly projectAllowed: boolean;
  /** Folders that the operator lists besides (scripts.folders). */
  readonly listed: readonly string[];
}

export interface WorkingFolder {
  readonly folder: string;
  readonly writable: boolean;
}

/** The folder a script works in: the one that was asked for if it is allowed, else its own, which it only reads. */
export async function resolveWorkingFolder(
  given: string | undefined,
  own: string,
  { project, home, projectAllowed, listed }: WorkingFolders,
): Promise<WorkingFolder> {
  if (given === undefined || given === "") return { folder: own, writable: false };
  const projects = projectAllowed && isProject(project, home) ? [project] : [];
  const allowed = await realFolders([...projects, ...listed]);
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
    `Scripts may not work in "${given}": it lies outside of ${projectAllowed ? "the project" : "the folders that the operator lists"}. The operator can allow it with scripts.folders in ~/.skills-mcp/config.yaml.`,
  );
}

/** Desktop clients start servers in `/` or in the home folder: neither means that everything below is a project. */
function isProject(project: string, home: string): boolean {
  return !isInside(project, home);
}

async function realFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return found.filter((folder) => folder !== undefined);
}

function badFolder(message: string): Refusal {
  return new Refusal(message, { code: "library", reason: "bad-folder" });
}
