import path from "node:path";
import { type Awaitable, type Disk, isInside, realpath } from "#util";

/** The folders that may hold a project's skills, and what decided which ones. */
export interface Projects {
  /** Each working folder and those above it up to the root of its repository, highest priority first. */
  readonly folders: readonly string[];
  /** Places that would be the root of a repository if a `.git` appeared there. */
  readonly markers: readonly string[];
}

interface ProjectsOptions {
  /** The working directory, then the workspaces of a client. */
  readonly starts: readonly string[];
  /** Home folders: neither they nor folders above them are a project, unless they are the working folder. */
  readonly homes: readonly string[];
  /** Whether a folder is the root of a repository that may contain the start. */
  readonly isRepository: (dir: string, start: string) => Awaitable<boolean>;
}

/** A dotfiles repository in the home folder must not make everything below it one project. */
export async function findProjects({ starts, homes, isRepository }: ProjectsOptions): Promise<Projects> {
  const folders = new Set<string>();
  const markers = new Set<string>();
  for (const start of starts) {
    const above: string[] = [];
    for (let dir = start; ; dir = path.dirname(dir)) {
      if (dir !== start && homes.some((home) => isInside(dir, home))) break;
      above.push(dir);
      if (await isRepository(dir, start)) {
        for (const folder of above) folders.add(folder);
        break;
      }
      markers.add(path.join(dir, ".git"));
      if (path.dirname(dir) === dir) break;
    }
    folders.add(start);
  }
  return { folders: [...folders], markers: [...markers] };
}

/** Home folders by all of their names: a working directory is known by its real path. */
export async function homeNames(homes: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(homes.map((home) => realpath(home).catch(() => home)));
  return [...new Set([...homes, ...real])];
}

/**
 * A repository has a `.git` folder, a worktree or submodule a `.git` file. One that another user put above the working
 * directory, such as in `/tmp`, is no repository of ours, or that user's skills would be the project's.
 */
export function repositoriesOn(disk: Disk, uid = process.getuid?.()): ProjectsOptions["isRepository"] {
  const ownerOf = async (file: string): Promise<number | undefined> => {
    try {
      return (await disk.stat(file))?.uid;
    } catch {
      return undefined;
    }
  };
  return async (dir, start) => {
    const owner = await ownerOf(path.join(dir, ".git"));
    if (owner === undefined) return false;
    const isTrusted = dir === start || owner === uid || owner === ROOT_USER;
    return isTrusted || owner === (await ownerOf(start));
  };
}

/** On Windows also the owner of every file. */
const ROOT_USER = 0;
