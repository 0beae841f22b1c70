import { readdirSync } from "node:fs";
import path from "node:path";
import type { SkillContent } from "#skills";

/**
 * The folders of an installed skill without a file of its content, relative, with `/`: `node_modules`, a repository's `.git`,
 * and empty ones. They are the user's, because a source has none of them.
 */
export function foldersBeside(folder: string, content: SkillContent): readonly string[] {
  const used = new Set([...content.keys()].flatMap(foldersAbove));
  const found: string[] = [];
  const look = (prefix: string): void => {
    for (const entry of readdirSync(path.join(folder, prefix), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const name = `${prefix}${entry.name}`;
      if (used.has(name)) look(`${name}/`);
      else found.push(name);
    }
  };
  look("");
  return found.sort();
}

/** Which of those folders can stay beside new content, and which cannot, because it has a file of their name. */
export function keptBeside(
  folders: readonly string[],
  content: SkillContent,
): { readonly keep: readonly string[]; readonly taken: readonly string[] } {
  const isTaken = (folder: string): boolean =>
    [folder, ...foldersAbove(folder)].some((above) => content.has(above));
  return { keep: folders.filter((folder) => !isTaken(folder)), taken: folders.filter(isTaken) };
}

/** The folders on the way to a file: `a` and `a/b` of `a/b/c`. */
export function foldersAbove(file: string): readonly string[] {
  const parts = file.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
