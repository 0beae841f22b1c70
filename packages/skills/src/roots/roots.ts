import path from "node:path";
import type { PluginFolder } from "#agents";
import { FILE_PROVIDER, type MovedFolders, SKILL_FOLDERS, userFolder } from "#agents";
import { expandHome, isInside } from "#util";
import { EXAMPLE_LABEL } from "#util/pure";
import type { OwnFolders } from "../scan/link-bounds.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Location, Plugin } from "../skill/skill.ts";

/** A folder that is searched for skills, and what its skills are. */
export interface Root {
  readonly dir: string;
  readonly provider: string;
  readonly location: Location;
  readonly plugin?: Plugin;
  /** The user named it, so a missing one is reported. */
  readonly named: boolean;
  /** The folder of the home folder that it stands for, where it lies elsewhere: moved, or an administrator's. */
  readonly standsFor?: string;
  /** What its skills are, where that is not plain from their folder. */
  readonly label?: string;
  /** It lies in a folder above the project's. */
  readonly isAbove?: true;
  /** Folders below it, absolute, that belong to other roots. */
  readonly except?: readonly string[];
  /** The version of a repository that it is part of. */
  readonly repo?: RepoVersion;
}

/** One commit of a git repository, as a folder. */
interface RepoVersion {
  readonly url: string;
  readonly commit: string;
  readonly folder: string;
}

/** Everything that is searched, by a plan that the disk can change. */
export interface RootPlan {
  readonly roots: readonly Root[];
  /** Folders of plugins, which come after all roots. */
  readonly pluginFolders: readonly PluginFolder[];
  /** Places that do not exist and would change the plan. */
  readonly markers: readonly string[];
  /** Where links of the roots may lead without a limit. */
  readonly own?: OwnFolders;
  /** Files whose change alters the plan. */
  readonly awaited?: readonly string[];
  /** What is wrong with what decided it. */
  readonly diagnostics?: readonly Diagnostic[];
}

export interface RootOptions {
  readonly cwd: string;
  /** Every folder with folders of a project's skills, highest priority first. Default: `cwd`. */
  readonly projects?: readonly string[];
  readonly home: string;
  /** Folders that the environment moved out of the home folder. */
  readonly moved?: MovedFolders;
  /** Folders that an administrator gives to every user. */
  readonly system?: SystemOptions;
  /** Folders named by the user, in their order. */
  readonly skillDirs: readonly string[];
  readonly defaultDirs: boolean;
  /** Folders of examples, which only count where no other has a skill of that name. */
  readonly lastDirs?: readonly string[];
}

interface SystemOptions {
  readonly platform: NodeJS.Platform;
  /** Used instead of the root of the file system. */
  readonly base?: string;
}

/** The folders to search, highest priority first; plugins come after all of these. */
export function planRoots(options: RootOptions): readonly Root[] {
  const { cwd, projects = [cwd], home, moved = {}, system, skillDirs, defaultDirs, lastDirs = [] } = options;
  const namedRoot = (given: string): Root => {
    const dir = path.resolve(cwd, expandHome(given, home));
    const location = isInside(cwd, dir) ? "project" : "user";
    return { dir, provider: FILE_PROVIDER, location, named: true };
  };
  const named = skillDirs.map(namedRoot);
  const last = lastDirs.map((given): Root => ({ ...namedRoot(given), label: EXAMPLE_LABEL }));
  if (!defaultDirs) return withoutRepeats([...named, ...last]);
  const defaults = SKILL_FOLDERS.flatMap(({ provider, project, user, system: shared }): Root[] => {
    const rootIn = (location: Location, dir: string): Root => ({ dir, provider, location, named: false });
    const userRoot = (dir: string, folder: string): Root => {
      const root = rootIn("user", dir);
      return dir === path.join(home, folder) ? root : { ...root, standsFor: folder };
    };
    const ofSystem = system && shared?.[systemKind(system.platform)];
    const [usual = ""] = user;
    return [
      ...projects.flatMap((dir) =>
        project.map((folder): Root => {
          const root = rootIn("project", path.join(dir, folder));
          return dir !== cwd && isInside(dir, cwd) ? { ...root, isAbove: true } : root;
        }),
      ),
      ...user.map((folder) => userRoot(userFolder(folder, home, moved), folder)),
      ...(ofSystem === undefined ? [] : [userRoot(path.join(system?.base ?? "", ofSystem), usual)]),
    ];
  });
  return withoutRepeats([...named, ...defaults, ...last]);
}

function systemKind(platform: NodeJS.Platform): "darwin" | "win32" | "unix" {
  return platform === "darwin" || platform === "win32" ? platform : "unix";
}

/** In the home folder the project's folders are the user's: they are searched once, as the project's. */
function withoutRepeats(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter(({ provider, dir }) => {
    const before = seen.size;
    return seen.add(`${provider}\0${dir}`).size > before;
  });
}
