import path from "node:path";
import {
  brokenName,
  type Entry,
  type LibrarySkill,
  notServedAs,
  qualifiedNames,
  type Skill,
  type Snapshot,
} from "#skills";
import { memoizeWeak } from "#util/pure";

type NotServedAs<K extends Snapshot["notServed"][number]["kind"]> = Extract<
  Snapshot["notServed"][number],
  { readonly kind: K }
>;

/** A skill that the last scan found, served or not. The file is absent where none is known, or none may be told. */
export type SkillFinding = { readonly name: string; readonly file?: string } & (
  | { readonly kind: "served"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill }
  | NotServedAs<"shadowed" | "disabled" | "broken" | "filtered" | "not-approved">
);

/**
 * Everything that was found, in the order of every list: served skills, the library, then what is not served. What a filter or
 * a missing approval keeps back comes last, because the list of skills does not have it.
 */
export const foundSkills = memoizeWeak(
  ({ catalog, library, notServed }: Snapshot): readonly SkillFinding[] => {
    const broken = new Map<string, NotServedAs<"broken">>();
    for (const one of notServedAs(notServed, "broken"))
      if (!broken.has(one.problem.file)) broken.set(one.problem.file, one);
    return [
      ...catalog.entries.map(
        (entry): SkillFinding => ({
          kind: "served",
          entry,
          name: entry.listedAs,
          file: skillFile(entry.skill),
        }),
      ),
      ...[...library.skills.values()].map(
        (skill): SkillFinding => ({ kind: "library", skill, name: skill.path, file: skill.file }),
      ),
      ...notServedAs(notServed, "shadowed").map(
        (one): SkillFinding => ({ ...one, name: one.skill.name, file: skillFile(one.skill) }),
      ),
      ...notServedAs(notServed, "disabled").map(
        (one): SkillFinding => ({ ...one, name: one.entry.listedAs, file: skillFile(one.entry.skill) }),
      ),
      ...[...broken].map(([file, one]): SkillFinding => ({ ...one, name: brokenName(file), file })),
      ...notServedAs(notServed, "filtered").map(
        (one): SkillFinding => ({ ...one, name: qualifiedNames(one.skill)[0] ?? one.skill.name }),
      ),
      ...notServedAs(notServed, "not-approved").map(
        (one): SkillFinding => ({ ...one, name: one.review.name }),
      ),
    ];
  },
);

export function skillFile(skill: Skill): string {
  return path.join(skill.dir, skill.fileName);
}
