import { mkdirSync, readdirSync, readlinkSync, realpathSync, statSync, utimesSync } from "node:fs";
import { readlink, rename, rmdir, symlink } from "node:fs/promises";
import path from "node:path";
import { TRUSTED_NAMES } from "#agents";
import { PROJECT_FILE, PROJECT_LOCK } from "#config";
import { errorCode } from "#util";
import { type HeldPath, holdPath } from "./held-path.ts";
import { planProtection } from "./protected-places.ts";

/**
 * What other programs run or trust in a project: a script that could write these would choose what an agent, an editor, git, a
 * shell or CI does next, or which skills are served. `.git` as a whole: a new `commondir` in it, or another `.git` in its place,
 * leads to other hooks.
 */
export const PROTECTED_NAMES: readonly string[] = [
  ...new Set([
    ...[".git", ".github", ".vscode", ".envrc", ".husky", ".devcontainer"],
    ...[PROJECT_FILE, PROJECT_LOCK],
    ...TRUSTED_NAMES,
  ]),
];

const PROTECTED: ReadonlySet<string> = new Set(PROTECTED_NAMES.map((name) => name.toLowerCase()));

/** Some file systems ignore case. */
export const isProtectedName = (name: string): boolean => PROTECTED.has(name.toLowerCase());

/** What is protected in a folder, whether it exists or not. */
export const protectedIn = (folder: string): readonly string[] =>
  PROTECTED_NAMES.map((name) => path.join(folder, name));

export interface Protection {
  /** What a script can only read. */
  readonly held: readonly HeldPath[];
  /** The folders on the way to it. As mounts of their own they cannot be renamed, with what is protected in them. */
  readonly pinned: readonly HeldPath[];
  /** Why the working folder can only be mounted read-only; undefined when it may be writable. */
  readonly problem: string | undefined;
  /** Ends the protection. Returns a sentence for each link that a script replaced. */
  release(): Promise<readonly string[]>;
}

/** A link such as `CLAUDE.md`, which leads to a protected `AGENTS.md`. Nothing can be mounted on the link itself. */
interface KeptLink {
  readonly place: string;
  readonly target: string;
}

/**
 * Holds what is protected in a working folder, to be mounted read-only. A mount needs something to be mounted on, so a name that
 * does not exist is an empty folder during the run: git and editors ignore those, and removing one can destroy nothing.
 */
export function createProtector() {
  /** How many runs use each empty folder. */
  const placeholders = new Map<string, number>();
  /** A folder that is being removed must not be taken for one that stays. */
  let removing: Promise<unknown> = Promise.resolve();

  /** False: there is nothing, and nobody with our rights can make something. */
  function prepare(place: string): boolean {
    const users = placeholders.get(place) ?? 0;
    const made = users > 0 ? "made" : makeFolder(place);
    if (made === "made") placeholders.set(place, users + 1);
    return made !== "impossible";
  }

  /** Whether the place is to be removed now. */
  function leave(place: string): boolean {
    const users = placeholders.get(place) ?? 0;
    if (users > 1) placeholders.set(place, users - 1);
    else placeholders.delete(place);
    return users === 1;
  }

  return {
    /** Protects the names of the working folder, and `trusted`: absolute paths, of which those in it count. */
    async protect(cwd: string, trusted: readonly string[]): Promise<Protection> {
      for (let seen: unknown; seen !== removing; await seen) seen = removing;
      const open: HeldPath[] = [];
      const prepared: string[] = [];
      const links: KeptLink[] = [];
      const release = async (): Promise<readonly string[]> => {
        for (const each of open) each.close();
        // At once: the system waits for the end of each mount.
        const removals = prepared.filter(leave).map(remove);
        removing = Promise.all([removing, ...removals]);
        await removing;
        return (await Promise.all(links.map(putBack))).flat();
      };
      const unprotected = (problem: string): Protection => ({ held: [], pinned: [], problem, release });
      const hold = (place: string): HeldPath | undefined => {
        const found = holdPath(place);
        open.push(found);
        return found.kind === "link" || found.path !== place ? undefined : found;
      };
      try {
        const plan = planProtection(cwd, protectedIn(cwd), trusted);
        if (plan.problem !== undefined) return unprotected(plan.problem);
        const held: HeldPath[] = [];
        for (const place of plan.places) {
          if (!prepare(place)) continue;
          prepared.push(place);
          const found = hold(place);
          if (found !== undefined) {
            held.push(found);
            continue;
          }
          const link = linkAmong(plan.places, place);
          if (link === undefined)
            return unprotected(`${path.relative(cwd, place)} is a link, which cannot be protected`);
          links.push(link);
        }
        const pinned = plan.pins.flatMap((place) => hold(place) ?? []);
        if (pinned.length < plan.pins.length) return unprotected("a folder in it was replaced meanwhile");
        return { held, pinned, problem: undefined, release };
      } catch (error) {
        return unprotected(`it cannot be protected (${errorCode(error) || String(error)})`);
      }
    },
  };
}

/** The link, if it leads to one of the protected places. */
function linkAmong(places: readonly string[], place: string): KeptLink | undefined {
  try {
    return places.includes(realpathSync.native(place)) ? { place, target: readlinkSync(place) } : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a link that a script replaced back, and keeps what the script wrote beside it. */
async function putBack({ place, target }: KeptLink): Promise<readonly string[]> {
  if ((await readlink(place).catch(() => undefined)) === target) return [];
  const aside = `${place}.of-script`;
  try {
    await rename(place, aside).catch((error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
    });
    await symlink(target, place);
    return [
      `The script replaced the link ${place}, which agents trust: it is back, and ${aside} has what the script wrote.`,
    ];
  } catch (error) {
    return [
      `The script replaced the link ${place}, which agents trust, and it cannot be put back (${errorCode(error) || String(error)}): look at it.`,
    ];
  }
}

async function remove(place: string): Promise<void> {
  // Somebody may have put something there, or removed it.
  await rmdir(place).catch(() => {});
}

/** The time of our empty folders, in seconds: it changes when somebody puts something there, and a killed server leaves it. */
const OUR_TIME = 1_000_000_007;

/** `made`: an empty folder of ours. */
function makeFolder(place: string): "made" | "there" | "impossible" {
  try {
    mkdirSync(place);
    utimesSync(place, OUR_TIME, OUR_TIME);
    return "made";
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "impossible";
    if (code !== "EEXIST") throw error;
    return isOurs(place) ? "made" : "there";
  }
}

function isOurs(place: string): boolean {
  try {
    return statSync(place).mtimeMs === OUR_TIME * 1000 && readdirSync(place).length === 0;
  } catch {
    return false;
  }
}
