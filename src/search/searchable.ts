import type { Catalog, Entry } from "../catalog/catalog.ts";
import type { LibrarySkill } from "../catalog/library/library.ts";
import { entriesNamed } from "../catalog/resolve-name.ts";
import type { Snapshot } from "../registry/registry.ts";
import { loadableName } from "../skill/names.ts";

/** A skill of any kind, as the search sees it. */
export type Searchable = {
  /** Tells it from every other, and stays the same when others come and go. */
  readonly id: string;
  /** Another value means that its text may have changed. */
  readonly revision: string;
} & (
  | { readonly kind: "skill"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill }
);

const LIBRARY_ID = "library:";

/** Finds what bears an id. The table behind it is made once for each catalog, with the first search. */
export function createSearchableFinder(): (snapshot: Snapshot, id: string) => Searchable | undefined {
  const tables = new WeakMap<Catalog, ReadonlyMap<string, Entry>>();
  return (snapshot, id) => {
    const { catalog, library } = snapshot;
    const table = tables.get(catalog) ?? new Map(catalog.entries.map((entry) => [entry.skill.dir, entry]));
    tables.set(catalog, table);
    const entry = table.get(id);
    if (entry !== undefined) return skillOf(snapshot, entry);
    const skill = library.skills.get(id.slice(LIBRARY_ID.length, -1));
    return skill !== undefined && idOf(skill) === id ? librarySkillOf(snapshot, skill) : undefined;
  };
}

/** No name is longer, and to look one up takes time that grows with its length. */
const LONGEST_NAME = 256;

/** The ids of whatever bears this text as its name: as it is loaded, with spaces for hyphens, or as its author wrote it. */
export function idsNamed({ catalog, library }: Snapshot, text: string): ReadonlySet<string> {
  const typed = text.trim();
  if (typed.length > LONGEST_NAME) return new Set();
  for (const name of [typed, typed.replace(/\s+/g, "-"), loadableName(typed)]) {
    const ids = entriesNamed(catalog.names, name).map((entry) => entry.skill.dir);
    const skill = library.skills.get(name);
    if (skill !== undefined) ids.push(idOf(skill));
    if (ids.length > 0) return new Set(ids);
  }
  return new Set();
}

/** Everything that can be searched for. */
export function* searchablesOf(snapshot: Snapshot): Iterable<Searchable> {
  for (const entry of snapshot.catalog.entries) {
    yield skillOf(snapshot, entry);
  }
  yield* librarySearchables(snapshot);
}

export function* librarySearchables(snapshot: Snapshot): Iterable<Searchable> {
  for (const skill of snapshot.library.skills.values()) yield librarySkillOf(snapshot, skill);
}

function skillOf({ fingerprints }: Snapshot, entry: Entry): Searchable {
  return { kind: "skill", id: entry.skill.dir, revision: fingerprints.get(entry.skill) ?? "", entry };
}

function librarySkillOf({ libraryFingerprints }: Snapshot, skill: LibrarySkill): Searchable {
  return { kind: "library", id: idOf(skill), revision: libraryFingerprints.get(skill.path) ?? "", skill };
}

/** A folder never ends in a separator, so no other skill has such an id. */
function idOf({ path }: LibrarySkill): string {
  return `${LIBRARY_ID}${path}/`;
}
