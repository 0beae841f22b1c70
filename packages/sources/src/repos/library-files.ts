import path from "node:path";
import type { LocatedLibrary } from "#skills";
import { withOpenFile } from "#util";
import { isHidden } from "#util/pure";
import { below, isBelow, type RepoTree } from "./repo-tree.ts";

/** Front matter is short, and a whole file may be large. */
const HEAD_BYTES = 16 * 1024;

/**
 * The library in a repository: `skills/`, or else all of it, if a Markdown file there has keywords. Files of a folder with a
 * `SKILL.md` belong to that skill. Where nothing but a library is in the repository, every Markdown file is meant for it;
 * beside other things, only those with keywords are, and the rest are documents.
 */
export async function findLibrary(tree: RepoTree, isAlone: boolean): Promise<LocatedLibrary | undefined> {
  const { base, files, folder, skillDirs } = tree;
  const documents = [...files].filter(
    (file) => /[^/]\.md$/.test(file) && !isHidden(file) && !skillDirs.some((dir) => isBelow(dir, file)),
  );
  const absolute = (relative: string): string => path.join(folder, ...relative.split("/"));
  for (const dir of [below(base, "skills"), base]) {
    const claiming = new Set<string>();
    for (const file of documents) {
      if (!isBelow(dir, file) || !(await hasKeywords(absolute(file)))) continue;
      if (isAlone) return { dir: absolute(dir) };
      claiming.add(absolute(file));
    }
    if (claiming.size > 0) return { dir: absolute(dir), files: claiming };
  }
  return undefined;
}

async function hasKeywords(file: string): Promise<boolean> {
  try {
    return await withOpenFile(file, async ({ stats, readStart }) =>
      claimsKeywords((await readStart(Math.min(stats.size, HEAD_BYTES))).toString("utf8")),
    );
  } catch {
    // What cannot be read is reported where it is served.
    return false;
  }
}

/** Whether the front matter of a text names keywords, readable or not. */
export function claimsKeywords(text: string): boolean {
  const [, block] = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]*?)(?:\r?\n---[ \t]*(?:\r?\n|$)|$)/.exec(text) ?? [];
  return block !== undefined && /^["']?keywords["']?[ \t]*:/m.test(block);
}
