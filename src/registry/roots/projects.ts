import path from "node:path";
import { type Awaitable, type Disk, realpath } from "../../system/files/file-system.ts";
import { isInside } from "../../system/files/inside.ts";

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
  /** Neither these folders nor those above them are a project, unless it is worked in them. */
  readonly homes: readonly string[];
  readonly exists: (file: string) => Awaitable<boolean>;
}

/** A dotfiles repository in the home folder must not make everything below it one project. */
export async function findProjects({ starts, homes, exists }: ProjectsOptions): Promise<Projects> {
  const folders = new Set<string>();
  const markers = new Set<string>();
  for (const start of starts) {
    const above: string[] = [];
    for (let dir = start; ; dir = path.dirname(dir)) {
      if (dir !== start && homes.some((home) => isInside(dir, home))) break;
      above.push(dir);
      const marker = path.join(dir, ".git");
      if (await exists(marker)) {
        for (const folder of above) folders.add(folder);
        break;
      }
      markers.add(marker);
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

/** A repository has a `.git` folder, a worktree or submodule a `.git` file. */
export function existsOn(disk: Disk): (file: string) => Promise<boolean> {
  return async (file) => {
    try {
      return (await disk.stat(file)) !== undefined;
    } catch {
      return false;
    }
  };
}
