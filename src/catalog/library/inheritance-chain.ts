import type { Library, LibrarySkill } from "./library.ts";

/**
 * The skills that a skill inherits from, the most general first, and the skill itself last; alone when it does not
 * inherit. Whether the skills above it inherit is their own business: it is asked of the skill that was asked for.
 */
export function chainOf(library: Library, skill: LibrarySkill): readonly LibrarySkill[] {
  const chain = new Set([skill]);
  let above = skill.inherit ? parentOf(library, skill) : undefined;
  while (above !== undefined && !chain.has(above)) {
    chain.add(above);
    above = parentOf(library, above);
  }
  return [...chain].reverse();
}

function parentOf({ skills }: Library, { parent }: LibrarySkill): LibrarySkill | undefined {
  return parent === undefined ? undefined : skills.get(parent);
}
