import type { Library, LibrarySkill } from "#skills";
import { cutText, LONGEST_NAME, Refusal, suggestNames } from "#util/pure";

/** The skill at a path; a folder means its index, as in a listing. */
export function findLibrarySkill({ skills }: Library, given: string): LibrarySkill {
  if (given.length > LONGEST_NAME) throw unknownPath(given, []);
  const path = given.replace(/\.md$/, "").replace(/^\/+|\/+$/g, "");
  const skill = skills.get(path) ?? skills.get(`${path}/_index`);
  if (skill !== undefined) return skill;
  throw unknownPath(given, [...skills.keys()]);
}

/** What a client sent is repeated only as far as a person needs to recognise it. */
const LONGEST_SHOWN = 200;

export function unknownPath(given: string, known: readonly string[]): Refusal {
  const meant = suggestNames(given, known, 3);
  const way = meant.length === 0 ? "list_skills shows every path." : `Did you mean: ${meant.join(", ")}?`;
  return new Refusal(`Skill not found: "${cutText(given, LONGEST_SHOWN)}". ${way}`, {
    code: "library",
    reason: "unknown-path",
  });
}
