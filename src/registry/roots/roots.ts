import path from "node:path";
import type { Location, Plugin } from "../../skill/skill.ts";
import { expandHome } from "../../system/files/home-folder.ts";
import { isInside } from "../../system/files/inside.ts";
import { AGENTS, FILE_PROVIDER } from "./agents.ts";

/** A folder that is searched for skills, and what its skills are. */
export interface Root {
  readonly dir: string;
  readonly provider: string;
  readonly location: Location;
  readonly plugin?: Plugin;
  /** The user named it, so a missing one is reported. */
  readonly named: boolean;
}

export interface RootOptions {
  readonly cwd: string;
  /** More project folders, which rank after the first. */
  readonly workspaces?: readonly string[];
  readonly home: string;
  /** Folders named by the user, in their order. */
  readonly skillDirs: readonly string[];
  readonly defaultDirs: boolean;
  /** Folders that only count where no other has a skill of that name. */
  readonly lastDirs?: readonly string[];
}

/** The folders to search, highest priority first; plugins come after all of these. */
export function planRoots(options: RootOptions): readonly Root[] {
  const { cwd, workspaces = [], home, skillDirs, defaultDirs, lastDirs = [] } = options;
  const namedRoot = (given: string): Root => {
    const dir = path.resolve(cwd, expandHome(given, home));
    const location = isInside(cwd, dir) ? "project" : "user";
    return { dir, provider: FILE_PROVIDER, location, named: true };
  };
  const named = skillDirs.map(namedRoot);
  const last = lastDirs.map(namedRoot);
  if (!defaultDirs) return withoutRepeats([...named, ...last]);
  const projects = new Set([cwd, ...workspaces]);
  const defaults = AGENTS.flatMap(({ provider, project, user }): Root[] => [
    ...[...projects].flatMap((dir) =>
      project.map((folder): Root => {
        return { dir: path.join(dir, folder), provider, location: "project", named: false };
      }),
    ),
    ...user.map(
      (folder): Root => ({ dir: path.join(home, folder), provider, location: "user", named: false }),
    ),
  ]);
  return withoutRepeats([...named, ...defaults, ...last]);
}

/** In the home folder the project's folders are the user's: they are searched once, as the project's. */
function withoutRepeats(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter(({ provider, dir }) => {
    const before = seen.size;
    return seen.add(`${provider}\0${dir}`).size > before;
  });
}
