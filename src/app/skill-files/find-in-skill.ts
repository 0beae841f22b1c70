import type { Skill } from "../../skill/skill.ts";
import { type FolderEntry, readFolder } from "./read-folder.ts";
import { type SkillFile, skillFileAt } from "./skill-file.ts";

/** What lies at a path below a skill's folder. */
type Found =
  | { readonly kind: "file"; readonly file: SkillFile }
  | { readonly kind: "folder"; readonly entries: readonly FolderEntry[] };

/**
 * Goes down name by name. What a client asked for is only ever compared with the names that the disk gives, so that
 * it never becomes a path.
 */
export async function findInSkill(skill: Skill, names: readonly string[]): Promise<Found | undefined> {
  let entries = await readFolder(skill, skill.realDir);
  for (const [depth, name] of names.entries()) {
    const entry = entries.find((candidate) => candidate.name === name);
    if (entry === undefined || entry.kind === "unservable") return undefined;
    if (entry.kind === "file") {
      if (depth < names.length - 1) return undefined;
      const file = await skillFileAt(names, entry.real);
      return file === undefined ? undefined : { kind: "file", file };
    }
    entries = await readFolder(skill, entry.real);
  }
  return { kind: "folder", entries };
}
