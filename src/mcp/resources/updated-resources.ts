import type { RefreshEvent } from "../../registry/registry.ts";
import { librarySkillUri } from "./library-resources.ts";
import { skillFileUri, skillRootUri } from "./resource-uri.ts";

/**
 * The URIs of the skills whose text a refresh found changed. For clients of the modern era: the SDK knows their
 * subscriptions and drops the rest.
 */
export function updatedResources({ snapshot, previous }: RefreshEvent): readonly string[] {
  if (previous === undefined) return [];
  const changed =
    previous.fingerprints === snapshot.fingerprints
      ? []
      : snapshot.catalog.entries.filter(
          ({ skill }) => previous.fingerprints.get(skill) !== snapshot.fingerprints.get(skill),
        );
  const known = new Set(
    changed.length === 0 ? [] : previous.catalog.entries.map(({ skill }) => skillRootUri(skill)),
  );
  const uris = changed.map(({ skill }) => {
    const root = skillRootUri(skill);
    return root === undefined || !known.has(root) ? undefined : skillFileUri(root, skill, [skill.fileName]);
  });
  for (const [path, fingerprint] of snapshot.libraryFingerprints) {
    const before = previous.libraryFingerprints.get(path);
    if (before !== undefined && before !== fingerprint) uris.push(librarySkillUri(path));
  }
  return uris.filter((uri) => uri !== undefined);
}

/** Whether only the files beside the skills came or went: a change of the catalog is announced as one anyway. */
export function onlyFilesChanged({ snapshot, previous, change }: RefreshEvent): boolean {
  return change === undefined && previous !== undefined && previous.listing !== snapshot.listing;
}
