import type { Snapshot } from "#skills";
import type { RepoState } from "#sources";
import { shortHash } from "#util/pure";

/**
 * What clients see of the skills, as a short text that is the same on every machine that serves the same: nothing of a path or
 * a time is in it.
 */
export function revisionOf({ catalog, library, hasFiles }: Snapshot, commits: object): string {
  const skills = catalog.entries.map(({ listedAs, skill }) => [
    listedAs,
    skill.description,
    skill.provider,
    skill.location,
    skill.invocation,
  ]);
  const ofLibrary = Array.from(library.skills.values(), (skill) => {
    const { path, description, keywords, priority, inherit, assets, scripts, parent } = skill;
    return [path, description, keywords, priority, inherit, assets, scripts, parent];
  });
  return shortHash(JSON.stringify([skills, ofLibrary, hasFiles, commits]));
}

/** The commit of each repository, by its address and branch. */
export function commitsOf(states: readonly RepoState[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    states.flatMap(({ url, branch, commit }) => (commit === undefined ? [] : [[`${url}#${branch}`, commit]])),
  );
}
