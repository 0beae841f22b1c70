import path from "node:path";
import { nameKey } from "#util/pure";
import type { LockedSkill } from "../lock/lock-text.ts";
import type { SourceSkill } from "./found-skills.ts";

/** The skill of a source that an entry of the lock means: by its path, else by its name, if it was moved. */
export function skillIn(skills: readonly SourceSkill[], locked: LockedSkill): SourceSkill | undefined {
  const { name } = locked;
  const folder = lockedFolder(locked);
  const hasName = (skill: SourceSkill): boolean => nameKey(skill.name) === nameKey(name);
  return skills.find((skill) => skill.path === folder && hasName(skill)) ?? skills.find(hasName);
}

/** The folder of a skill in its source; empty for the source's own folder. */
export function lockedFolder({ skillPath, own }: LockedSkill): string {
  return skillPath === undefined ? (own?.path ?? "") : path.posix.dirname(skillPath).replace(/^\.$/, "");
}

/** Finds the entries that people name, in any case; a name that none has is a refusal of the caller. */
export function entriesNamed(
  locked: readonly LockedSkill[],
  names: readonly string[],
): { readonly found: readonly LockedSkill[]; readonly unknown: readonly string[] } {
  if (names.length === 0) return { found: locked, unknown: [] };
  const found = locked.filter(({ name }) => names.some((wanted) => nameKey(wanted) === nameKey(name)));
  const unknown = names.filter((wanted) => !locked.some(({ name }) => nameKey(name) === nameKey(wanted)));
  return { found, unknown };
}
