import type { Entry, LibrarySkill, Snapshot } from "#skills";
import { entriesNamed, isForModels, loadableName } from "#skills";
import { memoizeWeak } from "#util/pure";
import type { SearchableSkills } from "./current-index.ts";
import { readSearchDocument } from "./read-document.ts";

/** A skill of either kind. */
export type Searchable =
  | { readonly kind: "skill"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill };

/** A snapshot, as the search sees it. */
export interface SearchableSnapshot extends SearchableSkills {
  /** The ids of the skills that models are not told of. */
  readonly hidden: ReadonlySet<string>;
  find(id: string): Searchable | undefined;
  /** The ids of the skills with this name: as it is loaded, with spaces for hyphens, or as the author wrote it. */
  idsNamed(text: string): ReadonlySet<string>;
}

/** Memoized, because the tables take a few milliseconds at ten thousand skills. */
export const searchableSnapshot = memoizeWeak((snapshot: Snapshot): SearchableSnapshot => {
  const { catalog, library } = snapshot;
  const fingerprints = new Map<string, string>();
  const skills = new Map<string, Searchable>();
  const hidden = new Set<string>();
  for (const entry of catalog.entries) {
    fingerprints.set(entry.skill.dir, snapshot.fingerprints.get(entry.skill) ?? "");
    skills.set(entry.skill.dir, { kind: "skill", entry });
    if (!isForModels(entry)) hidden.add(entry.skill.dir);
  }
  for (const skill of library.skills.values()) {
    fingerprints.set(libraryId(skill), snapshot.libraryFingerprints.get(skill.path) ?? "");
    skills.set(libraryId(skill), { kind: "library", skill });
  }
  return {
    fingerprints,
    hidden,
    find: (id) => skills.get(id),
    idsNamed: (text) => idsNamed(snapshot, text),
    async read(id) {
      const found = skills.get(id);
      return found === undefined ? undefined : readSearchDocument(found, id);
    },
  };
});

/** A folder never ends in a separator, so no other skill has such an id. */
function libraryId({ path }: LibrarySkill): string {
  return `library:${path}/`;
}

/** No name is longer; longer input is not looked up. */
const LONGEST_NAME = 256;

function idsNamed({ catalog, library }: Snapshot, text: string): ReadonlySet<string> {
  const typed = text.trim();
  if (typed.length > LONGEST_NAME) return new Set();
  for (const name of [typed, typed.replace(/\s+/g, "-"), loadableName(typed)]) {
    const ids = entriesNamed(catalog.names, name).map((entry) => entry.skill.dir);
    const skill = library.skills.get(name);
    if (skill !== undefined) ids.push(libraryId(skill));
    if (ids.length > 0) return new Set(ids);
  }
  return new Set();
}
