import path from "node:path";
import { GIT_PROVIDER, SKILL_FOLDERS } from "#agents";
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
 * not plain ones as well, `skills/` before everything else in a plugin or the repository, and agents' folders last. Folders
 * with a skill that are `skipped` are in none, but skills below them are.
 */
export function repoFolders(
  tree: RepoTree,
  plugins: readonly RepoPlugin[],
  skipped: ReadonlySet<string> = new Set(),
): readonly RepoFolder[] {
  const claimed = claimedBy(plugins);
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
  const late = lateFolders(tree, plugins, skipped);
  const except = [...skipped, ...late.map(({ dir }) => dir)];
  const without = (folder: RepoFolder): RepoFolder => {
    const inside = except.filter((dir) => dir !== folder.dir && contains(folder, dir));
    return inside.length === 0 ? folder : { ...folder, except: [...folder.except, ...inside] };
  };
  const owned = late.flatMap(({ dir, except: others }): RepoFolder[] => {
    const owner = folders.find((folder) => contains(folder, dir));
    return owner === undefined ? [] : [{ ...owner, dir, except: [...within(dir), ...others] }];
  });
  const isScanned = (folder: RepoFolder): boolean =>
    tree.skillDirs.some((dir) => !skipped.has(dir) && contains(folder, dir));
  // The folder of a plugin may itself be skipped.
  const starts = folders.map(without).filter(({ dir }) => !skipped.has(dir));
  return [...starts, ...owned].filter(isScanned);
}

/** Agents' folders, and folders of skills that lie below a skipped one; each without what belongs to another of them. */
function lateFolders(
  tree: RepoTree,
  plugins: readonly RepoPlugin[],
  skipped: ReadonlySet<string>,
): readonly { readonly dir: string; readonly except: readonly string[] }[] {
  const isAgents = agentsFolders(tree, plugins);
  const ofAgents = tree.skillDirs.flatMap((dir) => isAgents(dir) ?? []);
  const below = tree.skillDirs.filter(
    (dir) => !skipped.has(dir) && [...skipped].some((other) => isBelow(other, dir)),
  );
  const dirs = [...new Set([...ofAgents, ...below])].filter((dir) => !skipped.has(dir));
  return dirs.map((dir) => ({
    dir,
    except: [...dirs, ...skipped].filter((other) => other !== dir && isBelow(dir, other)),
  }));
}

/** `.claude/skills`, `.github/skills`, …: where an agent looks for the skills of a project that it works in. */
const AGENTS_FOLDERS = SKILL_FOLDERS.flatMap(({ project }) => project).filter((dir) => dir.startsWith("."));

/**
 * Returns a function that says in which agent's folder a skill lies, if in any. What an address or a marketplace names is
 * meant, whatever it is called.
 */
export function agentsFolders(
  { base }: RepoTree,
  plugins: readonly RepoPlugin[],
): (dir: string) => string | undefined {
  const starts = [...claimedBy(plugins), base];
  return (dir) => {
    const start = Math.max(...starts.filter((each) => isBelow(each, dir)).map(({ length }) => length));
    const rest = `${dir.slice(start)}/`.replace(/^\/*/, "/");
    const ends = AGENTS_FOLDERS.flatMap((folder) => {
      const at = rest.indexOf(`/${folder}/`);
      return at < 0 ? [] : [at + folder.length + 1];
    });
    if (ends.length === 0) return undefined;
    return `${dir.slice(0, start)}${rest.slice(0, Math.min(...ends))}`.replace(/^\//, "");
  };
}

function claimedBy(plugins: readonly RepoPlugin[]): ReadonlySet<string> {
  return new Set(plugins.flatMap(({ dir, listed }) => listed ?? [dir]));
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
