import type { Snapshot } from "#skills";
import type { GitLibraries } from "./git-libraries.ts";

/** Whether whoever sees a snapshot may be told of a repository, by its address. */
export type SeesRepo = (snapshot: Snapshot, url: string) => boolean;

export const SEES_EVERY_REPO: SeesRepo = () => true;

/** For someone who may not see everything: only of the repositories of what they see. */
export function seesItsRepos(git: Pick<GitLibraries, "repoAt"> | undefined): SeesRepo {
  return ({ catalog, library }, url) =>
    catalog.entries.some(({ skill }) => skill.repo?.url === url) ||
    [...library.skills.values()].some(({ file, repo }) => (repo ?? git?.repoAt(file))?.url === url);
}
