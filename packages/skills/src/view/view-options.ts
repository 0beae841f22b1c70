import path from "node:path";
import { type MovedFolders, movedFolders, PROVIDERS, userFolder } from "#agents";
import { expandHome, homeFolder, isInside } from "#util";
import { type Filter, parseFilterTokens, parseIncludes } from "../catalog/filter.ts";
import type { PluginOptions } from "../roots/plugins.ts";
import type { LibraryRoot } from "../scan/scan-library.ts";
import type { FilterTokens, OpenViewOptions, PluginChoice } from "./skill-options.ts";

export { movedFolders };

/** The folders that relative paths and defaults start from. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
  /** Folders of agents that lie elsewhere than in the home folder. */
  readonly moved: MovedFolders;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** Makes a path absolute that a person wrote: relative to `cwd`, with `~` for `home`. */
  resolve(given: string): string;
}

export function resolvePlaces({ cwd: givenCwd, userDir, folders }: OpenViewOptions): Places {
  const cwd = path.resolve(givenCwd ?? process.cwd());
  const home = path.resolve(cwd, userDir ?? homeFolder());
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  return { cwd, home, moved: folders?.moved ?? {}, ownFolder: path.join(home, ".skills-mcp"), resolve };
}

export function libraryRoots(
  { library, git }: OpenViewOptions,
  { cwd, resolve }: Places,
): readonly LibraryRoot[] {
  // With a library folder, repositories contribute skills and plugins but no libraries.
  if (library === undefined) return git?.roots ?? [];
  const dir = resolve(library);
  return [{ dir, location: isInside(cwd, dir) ? "project" : "user", prefix: "", named: true }];
}

/** Identifies what decides which skills are served: two servers with the same key can share an index. */
export function viewKey(
  { library, folders, plugins, reading, filter, git }: OpenViewOptions,
  { cwd, home }: Places,
  profiles: readonly string[] = [],
): string {
  const repos = git?.roots.map(({ dir }) => dir);
  return JSON.stringify([cwd, home, library, repos, folders, plugins, reading, filter, ...profiles]);
}

export function pluginOptions({ file, root }: PluginChoice, { home, moved, resolve }: Places): PluginOptions {
  const claude = userFolder(".claude", home, moved);
  const folder = path.join(claude, "plugins");
  return {
    file: file === undefined ? path.join(folder, "installed_plugins.json") : resolve(file),
    root: root === undefined ? folder : resolve(root),
    settingsFile: path.join(claude, "settings.json"),
    named: file !== undefined,
  };
}

export function filterOf({ include = [], narrowTo = [], exclude = [] }: FilterTokens = {}): Filter {
  return {
    include: parseIncludes(include, PROVIDERS),
    narrowTo: parseIncludes(narrowTo, PROVIDERS),
    exclude: parseFilterTokens(exclude, PROVIDERS),
  };
}
