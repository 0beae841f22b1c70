import path from "node:path";
import { nameKey } from "#util/pure";
import type { LockedSkill } from "../lock/lock-text.ts";
import { type FetchedSource, qualifiedName, type SourceSkill } from "./found-skills.ts";
import { folderName } from "./plan.ts";

/**
 * The skill of a source that an entry of the lock means, by the name that it has in the lock: by its path, else by its name,
 * if it was moved. A skill that was taken by its path may be one that is left out otherwise.
 */
export function skillIn(
  { skills, leftOut }: Pick<FetchedSource, "skills" | "leftOut">,
  locked: LockedSkill,
): SourceSkill | undefined {
  const { name } = locked;
  const folder = lockedFolder(locked);
  const hasName = (skill: SourceSkill): boolean =>
    [skill.name, skill.ownName, folderName(qualifiedName(skill) ?? skill.name)].some(
      (each) => nameKey(each) === nameKey(name),
    );
  const all = [...skills, ...leftOut.map(({ skill }) => skill)];
  const [only, ...others] = skills.filter(hasName);
  const found =
    all.find((skill) => skill.path === folder && hasName(skill)) ??
    skills.find((skill) => nameKey(skill.name) === nameKey(name)) ??
    (others.length === 0 ? only : undefined);
  return found && { ...found, name };
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
  // `a:review` is what a server calls it, and `a-review` what it is installed as.
  const isNamed = (wanted: string, name: string): boolean =>
    nameKey(wanted) === nameKey(name) || (wanted.includes(":") && folderName(wanted) === name);
  const found = locked.filter(({ name }) => names.some((wanted) => isNamed(wanted, name)));
  const unknown = names.filter((wanted) => !locked.some(({ name }) => isNamed(wanted, name)));
  return { found, unknown };
}
