import type { Catalog, Entry } from "../catalog/catalog.ts";
import { describedFor } from "../skill/invocation.ts";

/** Who is shown something. People see every skill, models those that their authors meant for models. */
export type Audience = "people" | "models";

/**
 * The skills that are listed for models, in listing order, with the descriptions that models read. All others still load by
 * their exact names. Returns the catalog's own list when no author says anything.
 */
export function modelEntries({ entries }: Pick<Catalog, "entries">): readonly Entry[] {
  if (entries.every(({ skill }) => skill.invocation === undefined)) return entries;
  return entries.filter(isForModels).map(asDescribed);
}

export function isForModels({ skill }: Entry): boolean {
  return skill.invocation?.model !== false;
}

function asDescribed(entry: Entry): Entry {
  const { skill } = entry;
  const description = describedFor(skill);
  return description === skill.description ? entry : { ...entry, skill: { ...skill, description } };
}
