import { mkdirSync, readdirSync } from "node:fs";
import { rmdir } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "#util";
import { type HeldPath, holdPath } from "./held-path.ts";

/**
 * What other programs run or trust in a project: a script that could write these would choose what an agent, an editor, git, a
 * shell or CI does next. `.git` as a whole: a new `commondir` in it, or another `.git` in its place, leads to other hooks.
 */
export const PROTECTED_NAMES = [
  ".git",
  ".github",
  ".vscode",
  ".claude",
  ".codex",
  ".cursor",
  ".mcp.json",
  ".envrc",
] as const;

const PROTECTED: ReadonlySet<string> = new Set(PROTECTED_NAMES);

/** Some file systems ignore case. */
export const isProtectedName = (name: string): boolean => PROTECTED.has(name.toLowerCase());

/** As an empty folder, these mean nothing: a killed server left them behind. */
const NEVER_EMPTY: ReadonlySet<string> = new Set([".git", ".mcp.json", ".envrc"]);

export interface Protection {
  readonly held: readonly HeldPath[];
  /** Why the working folder can only be mounted read-only; undefined when it may be writable. */
  readonly problem: string | undefined;
  release(): Promise<void>;
}

/**
 * Holds the protected names of a working folder, to be mounted read-only. A mount needs something to be mounted on, so a name that
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
    async protect(cwd: string): Promise<Protection> {
      for (let seen: unknown; seen !== removing; await seen) seen = removing;
      const held: HeldPath[] = [];
      const prepared: string[] = [];
      const release = async (): Promise<void> => {
        for (const each of held) each.close();
        // At once: the system waits for the end of each mount.
        const removals = prepared.filter(leave).map(remove);
        removing = Promise.all([removing, ...removals]);
        await removing;
      };
      try {
        for (const name of PROTECTED_NAMES) {
          const place = path.join(cwd, name);
          if (!prepare(place)) continue;
          prepared.push(place);
          const found = holdPath(place);
          held.push(found);
          if (found.kind === "link" || found.path !== place) {
            return { held: [], problem: `${name} is a link, which cannot be protected`, release };
          }
        }
        return { held, problem: undefined, release };
      } catch (error) {
        return {
          held: [],
          problem: `it cannot be protected (${errorCode(error) || String(error)})`,
          release,
        };
      }
    },
  };
}

async function remove(place: string): Promise<void> {
  // Somebody may have put something there, or removed it.
  await rmdir(place).catch(() => {});
}

/** `made`: an empty folder of ours. */
function makeFolder(place: string): "made" | "there" | "impossible" {
  try {
    mkdirSync(place);
    return "made";
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "impossible";
    if (code !== "EEXIST") throw error;
    return NEVER_EMPTY.has(path.basename(place)) && isEmptyFolder(place) ? "made" : "there";
  }
}

function isEmptyFolder(place: string): boolean {
  try {
    return readdirSync(place).length === 0;
  } catch {
    return false;
  }
}
