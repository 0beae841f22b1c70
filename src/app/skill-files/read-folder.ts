import type { Dirent } from "node:fs";
import path from "node:path";
import { isInside } from "../../registry/roots/roots.ts";
import type { Skill } from "../../skill/skill.ts";
import { readdir, realpath } from "../../system/file-system.ts";

/** One thing in a skill's folder. */
export type FolderEntry =
  | { readonly kind: "file" | "folder"; readonly name: string; readonly real: string }
  /** A link that leads out of the skill or nowhere, or a special file: never opened. */
  | { readonly kind: "unservable"; readonly name: string };

/**
 * What lies in a folder of a skill, in the order of the names. Hidden files, `node_modules` and links to folders stay
 * out; a linked file is served if it lies in the skill all the same.
 */
export async function readFolder(skill: Skill, realDir: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(realDir, { withFileTypes: true }).catch(() => [] as Dirent[]);
  const shown = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
  const found = await Promise.all(shown.map((entry) => entryOf(skill, realDir, entry)));
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function entryOf(skill: Skill, realDir: string, entry: Dirent): Promise<FolderEntry> {
  const { name } = entry;
  const real = path.join(realDir, name);
  if (entry.isFile()) return { kind: "file", name, real };
  if (entry.isDirectory()) return { kind: "folder", name, real };
  if (!entry.isSymbolicLink()) return { kind: "unservable", name };
  const target = await realpath(real).catch(() => undefined);
  if (target === undefined) return { kind: "unservable", name };
  // The scan has already decided to serve a SKILL.md that is a link.
  if (target === skill.linkedFile && realDir === skill.realDir) return { kind: "file", name, real: target };
  return isInside(skill.realDir, target) && !isHidden(skill, target)
    ? { kind: "file", name, real: target }
    : { kind: "unservable", name };
}

/** A link must not show what its own folder would hide. */
function isHidden({ realDir }: Skill, target: string): boolean {
  const names = path.relative(realDir, target).split(path.sep);
  return names.some((name) => name.startsWith(".") || name === "node_modules");
}
