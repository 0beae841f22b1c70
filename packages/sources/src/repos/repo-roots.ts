import path from "node:path";
import { GIT_PROVIDER } from "#agents";
import type { Plugin, Root } from "#skills";
import { defined } from "#util/pure";
import type { RepoPlugin } from "./repo-plugins.ts";
import { below, isBelow, type RepoTree } from "./repo-tree.ts";

/** Where skills of a repository lie, relative to it, and whose they are. */
export interface RepoFolder {
  readonly dir: string;
  readonly except: readonly string[];
  readonly plugin?: Plugin;
}

/**
 * The folders to scan, highest priority first; each skill lies in one of them. Plugins come first, because their skills are
 * not plain ones as well, and `skills/` before everything else in a plugin or the repository.
 */
export function repoFolders(tree: RepoTree, plugins: readonly RepoPlugin[]): readonly RepoFolder[] {
  const claimed = new Set(plugins.flatMap(({ dir, listed }) => listed ?? [dir]));
  const within = (dir: string): readonly string[] =>
    [...claimed].filter((other) => other !== dir && isBelow(dir, other));
  const whole = (dir: string, plugin?: Plugin): readonly RepoFolder[] => {
    const owner = plugin === undefined ? {} : { plugin };
    const skills = below(dir, "skills");
    const rest = { dir, except: [...within(dir), ...(claimed.has(skills) ? [] : [skills])], ...owner };
    return claimed.has(skills) ? [rest] : [{ dir: skills, except: within(skills), ...owner }, rest];
  };
  const folders = [
    ...plugins.flatMap(({ plugin, dir, listed }) =>
      listed === undefined
        ? whole(dir, plugin)
        : listed.map((folder): RepoFolder => ({ dir: folder, except: within(folder), plugin })),
    ),
    ...(claimed.has(tree.base) ? [] : whole(tree.base)),
  ];
  return folders.filter((folder) => tree.skillDirs.some((dir) => contains(folder, dir)));
}

/** Whether a folder with a skill belongs to one of the folders to scan. */
export function contains({ dir, except }: RepoFolder, skillDir: string): boolean {
  return isBelow(dir, skillDir) && !except.some((other) => isBelow(other, skillDir));
}

interface RepoContent {
  readonly url: string;
  readonly commit: string;
  readonly folder: string;
}

export function rootOf({ dir, except, plugin }: RepoFolder, repo: RepoContent): Root {
  const absolute = (relative: string): string => path.join(repo.folder, ...relative.split("/"));
  return {
    dir: absolute(dir),
    provider: GIT_PROVIDER,
    location: "repo",
    named: false,
    repo,
    ...defined({ plugin }),
    ...(except.length === 0 ? {} : { except: except.map(absolute) }),
  };
}
