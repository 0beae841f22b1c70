import path from "node:path";
import { type MovedFolders, movedFolders, PROVIDERS, userFolder } from "#agents";
import { expandHome, homeFolder, isInside } from "#util";
import { type Filter, parseFilterTokens, parseIncludes } from "../catalog/filter.ts";
import type { PluginOptions } from "../roots/plugins.ts";
import type { LibraryRoot } from "../scan/scan-library.ts";
import type { SkillsOptions } from "./skill-options.ts";

export { movedFolders };

/** The folders that all others are named from. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
  /** Folders of agents that lie elsewhere than in the home folder. */
  readonly moved: MovedFolders;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** The absolute path of a folder that someone wrote. */
  resolve(given: string): string;
}

export function resolvePlaces({ cwd: givenCwd, userDir, movedFolders: moved = {} }: SkillsOptions): Places {
  const cwd = path.resolve(givenCwd ?? process.cwd());
  const home = path.resolve(cwd, userDir ?? homeFolder());
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  return { cwd, home, moved, ownFolder: path.join(home, ".skills-mcp"), resolve };
}

export function libraryRoots(
  { library, git }: SkillsOptions,
  { cwd, resolve }: Places,
): readonly LibraryRoot[] {
  // Of repositories beside a library folder, only the skills and plugins count.
  if (library === undefined) return git?.roots ?? [];
  const dir = resolve(library);
  return [{ dir, location: isInside(cwd, dir) ? "project" : "user", prefix: "", named: true }];
}

/** Everything that decides which skills are served: two servers with the same key can share an index. */
export function viewKey(
  options: SkillsOptions,
  { cwd, home, moved }: Places,
  profiles: readonly string[] = [],
): string {
  const { skillDirs, scanDefaultDirs, skipPlugins, pluginsFile, pluginsRoot, systemDir } = options;
  const { strict, lenient, include, narrowTo, exclude, lastDirs } = options;
  const view = [skillDirs, scanDefaultDirs, skipPlugins, pluginsFile, pluginsRoot, strict, include, exclude];
  const libraries = [options.library, options.git?.roots.map(({ dir }) => dir)];
  return JSON.stringify([
    cwd,
    home,
    ...view,
    ...libraries,
    lastDirs,
    moved,
    systemDir,
    lenient,
    narrowTo,
    ...profiles,
  ]);
}

export function pluginOptions(
  { pluginsRoot, pluginsFile }: SkillsOptions,
  { home, moved, resolve }: Places,
): PluginOptions {
  const claude = userFolder(".claude", home, moved);
  const folder = path.join(claude, "plugins");
  return {
    file: pluginsFile === undefined ? path.join(folder, "installed_plugins.json") : resolve(pluginsFile),
    root: pluginsRoot === undefined ? folder : resolve(pluginsRoot),
    settingsFile: path.join(claude, "settings.json"),
    named: pluginsFile !== undefined,
  };
}

export function filterOf({ include = [], narrowTo = [], exclude = [] }: SkillsOptions): Filter {
  return {
    include: parseIncludes(include, PROVIDERS),
    narrowTo: parseIncludes(narrowTo, PROVIDERS),
    exclude: parseFilterTokens(exclude, PROVIDERS),
  };
}
