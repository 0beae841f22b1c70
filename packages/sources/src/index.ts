export { parseSourceAddress, type SourceAddress } from "./address/source-address.ts";
export { type FetchOptions, fetchSource, newestVersion } from "./fetch/fetch-source.ts";
export type { FetchedTree } from "./fetch/fetched-tree.ts";
export { isRefName } from "./git/repo-address.ts";
export { createGitRunner } from "./git/run-git.ts";
export type { GitLibraries, RepoRefresh, RepoState } from "./repos/git-libraries.ts";
export {
  hasLibrary,
  type InspectedSources,
  inspectSources,
  namedRepos,
  openGitLibraries,
  openSources,
  type SourceOptions,
  type Sources,
} from "./repos/open-sources.ts";
export { createRefresher, type Refresher } from "./repos/refresh-skills.ts";
export { SEES_EVERY_REPO, type SeesRepo, seesItsRepos } from "./repos/seen-repos.ts";
export { createSettledSnapshot } from "./repos/settled-snapshot.ts";
export { SyncFailure } from "./sync-failure.ts";
