import path from "node:path";
import { FILE_PROVIDER, type MovedFolders, type PluginFolder, SKILL_FOLDERS, userFolder } from "#agents";
import { type Awaitable, type Disk, expandHome, isInside, POOLED_DISK, realpath } from "#util";
import { EXAMPLE_LABEL } from "#util/pure";
import type { OwnFolders } from "../scan/links.ts";
import { below } from "../scan/listing.ts";
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
  /** The real folder that no link of it may lead out of; absent where links may lead further. */
  readonly within?: string;
  /** Folders below it, absolute, that belong to other roots. */
  readonly except?: readonly string[];
  /** The version of a repository that it is part of. */
  readonly repo?: RootVersion;
}

/** One commit of a git repository, as a folder. */
interface RootVersion {
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

/** Folders below an agent's root that the agent fills by itself: how many folders a skill lies below them, and its label. */
const LABELS: Readonly<Record<string, { folder: string; depth: number; label: string }>> = {
  codex: { folder: ".system", depth: 1, label: "Codex's own" },
  // One folder for each account.
  claude: { folder: "synced", depth: 2, label: "synced from claude.ai" },
};

/** A label for a skill that no user wrote, such as one that its agent installs; undefined for all others. */
export function labelOf({ dir: rootDir, provider, plugin, label }: Root, dir: string): string | undefined {
  if (label !== undefined) return label;
  const known = plugin === undefined ? LABELS[provider] : undefined;
  if (known === undefined || !dir.startsWith(below(rootDir, known.folder))) return undefined;
  const [folder, ...deeper] = path.relative(rootDir, dir).split(path.sep);
  return folder === known.folder && deeper.length >= known.depth ? known.label : undefined;
}

/** What is known of roots before they are scanned. */
interface PresentRoots<R> {
  /** The roots that may exist, in order. */
  readonly present: readonly R[];
  /** Folders to watch: one of them must appear before another root can exist. */
  readonly awaited: readonly string[];
}

/** From so many roots on, one listing is cheaper than a call for each. */
const ENOUGH_TO_LIST = 8;

/**
 * Leaves out most of the roots that do not exist. Every agent's folder lies below the project, each folder above it and
 * the home folder, as `.agent/skills`, and almost none exists: one listing of each of these folders shows that.
 */
export async function findPresentRoots<R extends { readonly dir: string; readonly named: boolean }>(
  roots: readonly R[],
  disk: Disk,
): Promise<PresentRoots<R>> {
  const places = roots.map(({ dir }) => {
    const parent = path.dirname(dir);
    return { folder: path.dirname(parent), name: path.basename(parent), parent };
  });
  const counts = new Map<string, number>();
  for (const { folder } of places) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const names = new Map<string, ReadonlySet<string>>();
  for (const [folder, count] of counts) {
    const found = count < ENOUGH_TO_LIST ? undefined : await disk.names(folder);
    if (found !== undefined) names.set(folder, new Set(found.map(folded)));
  }
  const present: R[] = [];
  const awaited: string[] = [];
  for (const [index, root] of roots.entries()) {
    const place = places[index];
    const isAbsent = place !== undefined && names.get(place.folder)?.has(folded(place.name)) === false;
    // A missing folder that someone named is reported by its scan.
    if (!isAbsent || root.named) present.push(root);
    else awaited.push(place.parent);
  }
  return { present, awaited };
}

/** Some file systems ignore case. Where they do not, a root that is not there after all is found to be missing. */
function folded(name: string): string {
  return name.toLowerCase();
}

/** The folders that may hold a project's skills, and what decided which ones. */
interface Projects {
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
  /** Whether a folder is the root of a repository that may contain the start. Default: as the disk has it. */
  readonly isRepository?: (dir: string, start: string) => Awaitable<boolean>;
}

/** A dotfiles repository in the home folder must not make everything below it one project. */
export async function findProjects({
  starts,
  homes,
  isRepository = repositoriesOn(POOLED_DISK),
}: ProjectsOptions): Promise<Projects> {
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
export function repositoriesOn(
  disk: Disk,
  uid = process.getuid?.(),
): Required<ProjectsOptions>["isRepository"] {
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
