import path from "node:path";
import { type Filter, parseFilterTokens } from "../catalog/filter.ts";
import { PROVIDERS } from "../registry/roots/agents.ts";
import type { PluginOptions } from "../registry/roots/plugins.ts";
import { expandHome, isInside } from "../registry/roots/roots.ts";
import type { LibraryRoot } from "../registry/scan/scan-library.ts";
import type { AppOptions } from "./options.ts";

export function libraryRoots(
  { library, git }: AppOptions,
  cwd: string,
  resolve: (given: string) => string,
): readonly LibraryRoot[] {
  if (library === undefined) return git?.roots ?? [];
  const dir = resolve(library);
  return [{ dir, location: isInside(cwd, dir) ? "project" : "user", prefix: "", named: true }];
}

/** Everything that decides which skills are seen: two servers with the same view can share an index. */
export function viewKey(options: AppOptions, cwd: string, home: string): string {
  const { skillDirs, scanDefaultDirs, skipPlugins, pluginsFile, pluginsRoot, strict, include, exclude } =
    options;
  const view = [skillDirs, scanDefaultDirs, skipPlugins, pluginsFile, pluginsRoot, strict, include, exclude];
  const libraries = [options.library, options.git?.roots.map(({ dir }) => dir)];
  return JSON.stringify([cwd, home, ...view, ...libraries, options.lastDirs]);
}

export function pluginOptions(options: AppOptions, cwd: string, home: string): PluginOptions {
  const claude = path.join(home, ".claude");
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  const root =
    options.pluginsRoot === undefined ? path.join(claude, "plugins") : resolve(options.pluginsRoot);
  return {
    file:
      options.pluginsFile === undefined
        ? path.join(claude, "plugins", "installed_plugins.json")
        : resolve(options.pluginsFile),
    root,
    settingsFile: path.join(claude, "settings.json"),
    named: options.pluginsFile !== undefined,
  };
}

export function filterOf(options: AppOptions): Filter {
  return {
    include: parseFilterTokens(options.include ?? [], PROVIDERS),
    exclude: parseFilterTokens(options.exclude ?? [], PROVIDERS),
  };
}
