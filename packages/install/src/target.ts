import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { type MovedFolders, SKILL_FOLDERS, userFolder } from "#agents";
import type { Log } from "#util";
import { describeError, errorCode, isInside } from "#util";
import { nameKey, Refusal } from "#util/pure";
import { type HeldTarget, holdTarget, journalFolderOf, needsRepair } from "./apply/target-lock.ts";
import { type LockPlace, readLock } from "./lock/lock-file.ts";
import { lockedSkills } from "./lock/lock-text.ts";

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

/** The folder of everything that we keep for the user. */
export function ownFolder(home: string): string {
  return path.join(home, ".skills-mcp");
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
  const userLock =
    state === undefined || state === ""
      ? path.join(home, ".agents", ".skill-lock.json")
      : path.join(state, "skills", ".skill-lock.json");
  const lock: LockPlace =
    scope === "project"
      ? { file: path.join(base, "skills-lock.json"), format: "project" }
      : { file: userLock, format: "user" };
  const skillsDir = await realFolder(path.join(base, ...SKILLS), base, scope);
  const agentDirs = (await agentFolders(scope, base, places)).filter((folder) => folder !== skillsDir);
  return {
    scope,
    base,
    skillsDir,
    lock,
    journalFolder: journalFolderOf(skillsDir, ownFolder(home)),
    agentDirs,
  };
}

/**
 * The user may have linked the own folder to another place. A link in a project that leads out of it may be anybody's, so
 * nothing is written through it.
 */
async function realFolder(folder: string, base: string, scope: Target["scope"]): Promise<string> {
  const real = await realOf(folder);
  if (scope === "project" && !isInside(await realpath(base), real)) {
    throw new Refusal(
      `${folder} is a link that leads out of the project, to ${real}. Replace it by a folder, or install for the user with -g.`,
      { code: "cannot-install", name: folder },
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

/** The scope of a command that was given none: the project if it has the skills in question, else the user's. */
export async function scopeFor(names: readonly string[], places: InstallPlaces): Promise<Target["scope"]> {
  const wanted = new Set(names.map(nameKey));
  for (const scope of ["project", "user"] as const) {
    const { lock } = await targetOf(scope, places);
    const locked = lockedSkills(await readLock(lock));
    if (locked.some(({ name }) => wanted.size === 0 || wanted.has(nameKey(name)))) return scope;
  }
  return "project";
}

/** Holds the target while `use` changes it. An interrupted command is repaired first. */
export async function withTarget<T>(target: Target, log: Log, use: () => Promise<T>): Promise<T> {
  let held: HeldTarget | undefined;
  try {
    held = await holdTarget(target.skillsDir, target.journalFolder);
    reportRepair(held, log);
    return await use();
  } catch (error) {
    throw errorCode(error) === "" ? error : diskRefused(error, target);
  } finally {
    await held?.release();
  }
}

/** A full or read-only disk is no bug. What was begun is completed or taken back by the next command. */
function diskRefused(error: unknown, { skillsDir }: Target): Refusal {
  const place = error instanceof Error && "path" in error ? String(error.path) : skillsDir;
  return new Refusal(
    `${place} cannot be changed: ${describeError(error)}.`,
    { code: "cannot-install", name: place },
    { cause: error },
  );
}

/** Before a command that only reads: repairs what an interrupted command left, if there is anything. */
export async function repairTarget(target: Target, log: Log): Promise<void> {
  if (await needsRepair(target.journalFolder)) await withTarget(target, log, async () => {});
}

function reportRepair({ repaired }: HeldTarget, log: Log): void {
  if (repaired) log.info("an interrupted command was completed or taken back");
}

/** The folder of an agent that `--agent` names, and undefined where the agent reads the target already. */
export async function agentFolder(
  agent: string,
  { scope, base, skillsDir }: Target,
  { home, moved }: InstallPlaces,
): Promise<string | undefined> {
  const known = SKILL_FOLDERS.find(({ provider }) => provider === agent.toLowerCase());
  if (known === undefined) {
    const names = SKILL_FOLDERS.map(({ provider }) => provider).sort();
    throw new Refusal(`--agent '${agent}' is not known. Use one of: ${names.join(", ")}.`, {
      code: "bad-usage",
      flag: "--agent",
    });
  }
  const [folder] = scope === "project" ? known.project : known.user;
  if (folder === undefined) {
    throw new Refusal(`--agent '${agent}' has no folder for the skills of a project. Use -g.`, {
      code: "bad-usage",
      flag: "--agent",
    });
  }
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

/** Whether a path is a link to a folder. */
export async function isLinkTo(place: string, folder: string): Promise<boolean> {
  const stats = await lstat(place).catch(() => undefined);
  return stats?.isSymbolicLink() === true && (await realpath(place).catch(() => undefined)) === folder;
}
