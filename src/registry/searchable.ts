import type { Entry } from "../catalog/catalog.ts";
import type { LibrarySkill } from "../catalog/library/library.ts";
import type { Snapshot } from "./registry.ts";

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

/** Everything that can be searched for. */
export function* searchablesOf(snapshot: Snapshot): Iterable<Searchable> {
  for (const entry of snapshot.catalog.entries) {
    const revision = snapshot.revisions.get(entry.skill) ?? "";
    yield { kind: "skill", id: entry.skill.dir, revision, entry };
  }
  for (const skill of snapshot.library.skills.values()) {
    const revision = snapshot.libraryRevisions.get(skill.path) ?? "";
    // A folder never ends in a separator, so no skill has such an id.
    yield { kind: "library", id: `library:${skill.path}/`, revision, skill };
  }
}
