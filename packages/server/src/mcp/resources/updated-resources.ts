import path from "node:path";
import type { RefreshEvent } from "#skills";
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

/**
 * Whether only files of the skills that clients see came or went: a change of the catalog is announced as one anyway,
 * and nobody sees the files of a skill that is broken or filtered out.
 */
export function onlyFilesChanged({ snapshot, previous, change }: RefreshEvent): boolean {
  if (change !== undefined || previous === undefined || previous.listing === snapshot.listing) return false;
  const served = new Set(snapshot.catalog.entries.map(({ skill }) => skill.realDir));
  return snapshot.changedFolders.some((dir) => isInOneOf(dir, served));
}

function isInOneOf(dir: string, folders: ReadonlySet<string>): boolean {
  for (let at = dir; ; at = path.dirname(at)) {
    if (folders.has(at)) return true;
    if (at === path.dirname(at)) return false;
  }
}
