import type { RefreshEvent } from "../../registry/registry.ts";
import { librarySkillUri } from "./library-resources.ts";
import { skillRootUri, uriBelow } from "./resource-uri.ts";

/**
 * The URIs of the skills whose text a refresh found changed. For clients of the modern era: the SDK knows what they
 * listen to, and drops the rest.
 */
export function updatedResources({ snapshot, previous }: RefreshEvent): readonly string[] {
  if (previous === undefined) return [];
  const changed =
    previous.revisions === snapshot.revisions
      ? []
      : snapshot.catalog.entries.filter(
          ({ skill }) => previous.revisions.get(skill) !== snapshot.revisions.get(skill),
        );
  const known = new Set(
    changed.length === 0 ? [] : previous.catalog.entries.map(({ skill }) => skillRootUri(skill)),
  );
  const uris = changed.map(({ skill }) => {
    const root = skillRootUri(skill);
    return root === undefined || !known.has(root) ? undefined : uriBelow(root, [skill.fileName]);
  });
  for (const [path, revision] of snapshot.libraryRevisions) {
    const before = previous.libraryRevisions.get(path);
    if (before !== undefined && before !== revision) uris.push(librarySkillUri(path));
  }
  return uris.filter((uri) => uri !== undefined);
}

/** Whether only the files beside the skills came or went: a change of the catalog is announced as one anyway. */
export function onlyFilesChanged({ snapshot, previous, change }: RefreshEvent): boolean {
  return change === undefined && previous !== undefined && previous.listing !== snapshot.listing;
}
