import type { Audience, Entry, LibrarySkill, Snapshot } from "#skills";
import { entriesNamed, isForModels, loadableName } from "#skills";
import { memoizeWeak } from "#util/pure";
import type { SearchableSkills } from "./current-index.ts";
import { readSearchDocument } from "./read-document.ts";

/** A skill of either kind. */
export type Searchable =
  | { readonly kind: "skill"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill };

/** A snapshot, as the search sees it. */
export interface SearchableSnapshot {
  /** What is indexed: the same for every client. */
  readonly indexed: SearchableSkills;
  /** The ids of indexed skills that must not be found: not served, or not for models. */
  notFor(audience: Audience): ReadonlySet<string>;
  find(id: string): Searchable | undefined;
  /** The ids of the skills with this name: as it is loaded, with spaces for hyphens, or as the author wrote it. */
  idsNamed(text: string): ReadonlySet<string>;
}

/** Memoized, because the tables take a few milliseconds at ten thousand skills. */
export const searchableSnapshot = memoizeWeak((snapshot: Snapshot): SearchableSnapshot => {
  const { catalog, library, whole } = snapshot;
  const skills = new Map<string, Searchable>();
  const notForModels: string[] = [];
  for (const entry of catalog.entries) {
    skills.set(entry.skill.dir, { kind: "skill", entry });
    if (!isForModels(entry)) notForModels.push(entry.skill.dir);
  }
  for (const skill of library.skills.values()) skills.set(libraryId(skill), { kind: "library", skill });
  const indexed = whole === undefined ? indexedSkills(snapshot, skills) : searchableSnapshot(whole).indexed;
  const notServed =
    whole === undefined ? [] : [...indexed.fingerprints.keys()].filter((id) => !skills.has(id));
  const hidden = { people: new Set(notServed), models: new Set([...notServed, ...notForModels]) };
  return {
    indexed,
    notFor: (audience) => hidden[audience],
    find: (id) => skills.get(id),
    idsNamed: (text) => idsNamed(snapshot, text),
  };
});

function indexedSkills(snapshot: Snapshot, skills: ReadonlyMap<string, Searchable>): SearchableSkills {
  const fingerprints = new Map<string, string>();
  for (const [id, found] of skills) {
    const fingerprint =
      found.kind === "skill"
        ? snapshot.fingerprints.get(found.entry.skill)
        : snapshot.libraryFingerprints.get(found.skill.path);
    fingerprints.set(id, fingerprint ?? "");
  }
  return {
    fingerprints,
    async read(id) {
      const found = skills.get(id);
      return found === undefined ? undefined : readSearchDocument(found, id);
    },
  };
}

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
