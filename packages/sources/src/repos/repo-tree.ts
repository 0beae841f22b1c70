import path from "node:path";

/** The files of one version of a repository, and the part of them that is served. Paths have `/`; `""` is the repository. */
export interface RepoTree {
  readonly folder: string;
  /** The folder to which an address narrows it. */
  readonly base: string;
  readonly files: ReadonlySet<string>;
  /** The folders with a `SKILL.md`: those in `skills/` first, then nearest to the base first. */
  readonly skillDirs: readonly string[];
  /** The `SKILL.md` of each of them; that spelling before others. */
  readonly skillFiles: ReadonlyMap<string, string>;
  hasFolder(dir: string): boolean;
}

/** Folders that hold other people's files. */
const FOREIGN = /(?:^|\/)(?:node_modules|\.git)\//;

export function createRepoTree(folder: string, all: readonly string[], base: string): RepoTree {
  const files = new Set(all.filter((file) => isBelow(base, file) && !FOREIGN.test(file)));
  const folders = new Set<string>([""]);
  for (const file of files) {
    for (let dir = parentOf(file); !folders.has(dir); dir = parentOf(dir)) folders.add(dir);
  }
  const first = below(base, "skills");
  const rank = (dir: string): number => (isBelow(first, dir) ? 0 : 1);
  const skillFiles = new Map<string, string>();
  for (const file of files) {
    const name = path.posix.basename(file);
    const isFirst = name === "SKILL.md" || !skillFiles.has(parentOf(file));
    if (isFirst && name.toLowerCase() === "skill.md") skillFiles.set(parentOf(file), file);
  }
  const skillDirs = [...skillFiles.keys()].sort(
    (a, b) => rank(a) - rank(b) || depthOf(a) - depthOf(b) || (a < b ? -1 : 1),
  );
  return { folder, base, files, skillDirs, skillFiles, hasFolder: (dir) => folders.has(dir) };
}

/** A path in a folder. */
export function below(dir: string, name: string): string {
  return dir === "" ? name : `${dir}/${name}`;
}

/** Whether a path is a folder, or lies in it. */
export function isBelow(dir: string, file: string): boolean {
  return dir === "" || file === dir || file.startsWith(`${dir}/`);
}

function parentOf(file: string): string {
  const dir = path.posix.dirname(file);
  return dir === "." ? "" : dir;
}

function depthOf(dir: string): number {
  return dir === "" ? 0 : dir.split("/").length;
}
