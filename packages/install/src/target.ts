import { lstat, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { type MovedFolders, requireAgent, SKILL_FOLDERS, userFolder } from "#agents";
import { PROJECT_LOCK } from "#config";
import { describeError, errorCode, isInside, type Log, ownFolderIn } from "#util";
import { nameKey } from "#util/pure";
import { shownAside } from "./apply/apply-changes.ts";
import { type HeldTarget, holdTarget, journalFolderOf, needsRepair } from "./apply/target-lock.ts";
import { type LockPlace, readLocked } from "./lock/lock-file.ts";
import { cannotInstall } from "./lock/lock-text.ts";

/** Where a command installs: the project in the working directory, or the user's own folder. */
export interface Target {
  readonly scope: "project" | "user";
  /** The project or the home folder. */
  readonly base: string;
  readonly skillsDir: string;
  readonly lock: LockPlace;
  readonly journalFolder: string;
  /** The folders of all agents, whether they exist or not. */
  readonly agentDirs: readonly string[];
}

/** What every command of this part needs to know of the machine. */
export interface InstallPlaces {
  readonly cwd: string;
  readonly home: string;
  readonly moved: MovedFolders;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly onProgress?: (text: string) => void;
}

const SKILLS = [".agents", "skills"] as const;

/** Uses the folders and files of the `skills` tool: the working directory is the project, also below a repository. */
export async function targetOf(scope: Target["scope"], places: InstallPlaces): Promise<Target> {
  const { cwd, home, environment } = places;
  const base = scope === "project" ? cwd : home;
  const state = environment["XDG_STATE_HOME"];
  const userLock = path.join(...(state ? [state, "skills"] : [home, ".agents"]), ".skill-lock.json");
  const lock: LockPlace =
    scope === "project"
      ? { file: path.join(base, PROJECT_LOCK), format: "project" }
      : { file: userLock, format: "user" };
  const skillsDir = await realFolder(path.join(base, ...SKILLS), base, scope);
  const agentDirs = (await agentFolders(scope, base, places)).filter((folder) => folder !== skillsDir);
  const journalFolder = journalFolderOf(skillsDir, ownFolderIn(home));
  return { scope, base, skillsDir, lock, journalFolder, agentDirs };
}

/**
 * The user may have linked the own folder to another place. A link in a project that leads out of it may be anybody's, so
 * nothing is written through it.
 */
async function realFolder(folder: string, base: string, scope: Target["scope"]): Promise<string> {
  const real = await realOf(folder);
  if (scope === "project" && !isInside(await realpath(base), real)) {
    throw cannotInstall(
      `${folder} is a link that leads out of the project, to ${real}. Replace it by a folder, or install for the user with -g.`,
      folder,
    );
  }
  return real;
}

/** The real path of a folder that need not exist yet. */
async function realOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(await realOf(parent), path.basename(folder));
  }
}

/** The target of a command that was given no scope: the project if it has the skills in question, else the user's. */
export async function targetWith(names: readonly string[], places: InstallPlaces): Promise<Target> {
  const wanted = new Set(names.map(nameKey));
  const project = await targetOf("project", places);
  for (const target of [project, await targetOf("user", places)]) {
    const locked = await readLocked(target.lock);
    if (locked.some(({ name }) => wanted.size === 0 || wanted.has(nameKey(name)))) return target;
  }
  return project;
}

/** Holds the target while `use` changes it. An interrupted command is repaired first. */
export async function withTarget<T>(target: Target, log: Log, use: () => Promise<T>): Promise<T> {
  let held: HeldTarget | undefined;
  try {
    held = await holdTarget(target.skillsDir, target.journalFolder);
    if (held.repair.repaired) log.info("an interrupted command was completed or taken back");
    for (const aside of held.repair.aside) log.warn(shownAside(aside));
    return await use();
  } catch (error) {
    if (errorCode(error) === "") throw error;
    // A full or read-only disk is no bug. The next command completes or takes back what was begun.
    const place = error instanceof Error && "path" in error ? String(error.path) : target.skillsDir;
    throw cannotInstall(`${place} cannot be changed: ${describeError(error)}.`, place, error);
  } finally {
    await held?.release();
  }
}

/** Before a command that only reads: repairs what an interrupted command left, if there is anything. */
export async function repairTarget(target: Target, log: Log): Promise<void> {
  if (await needsRepair(target.journalFolder)) await withTarget(target, log, async () => {});
}

/** The folder of an agent that `--agent` names; undefined where it reads the target already, or has no folder that is known. */
export async function agentFolder(
  agent: string,
  { scope, base, skillsDir }: Target,
  { home, moved }: InstallPlaces,
): Promise<string | undefined> {
  const { folders } = requireAgent(agent);
  const [folder] = (scope === "project" ? folders?.project : folders?.user) ?? [];
  if (folder === undefined) return undefined;
  const place = scope === "project" ? path.join(base, folder) : userFolder(folder, home, moved);
  const real = await realFolder(place, base, scope);
  return real === skillsDir ? undefined : real;
}

/** Every folder of an agent that may hold a link to a skill of the target, a copy, or what another tool installed. */
async function agentFolders(
  scope: Target["scope"],
  base: string,
  { home, moved }: InstallPlaces,
): Promise<readonly string[]> {
  const folders = SKILL_FOLDERS.flatMap(({ project, user }) =>
    scope === "project"
      ? project.map((folder) => path.join(base, folder))
      : user.map((folder) => userFolder(folder, home, moved)),
  );
  const realBase = await realOf(base);
  const real = await Promise.all(folders.map(realOf));
  return [...new Set(real)].filter((folder) => scope === "user" || isInside(realBase, folder));
}

/** Whether a path is a link to a folder, which need not be there. */
export async function isLinkTo(place: string, folder: string): Promise<boolean> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats?.isSymbolicLink() !== true) return false;
  const named = async (): Promise<string> => path.resolve(path.dirname(place), await readlink(place));
  return (await realpath(place).catch(named)) === folder;
}
