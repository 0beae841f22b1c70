export { parseSourceAddress, type SourceAddress } from "./address/source-address.ts";
export { openHostTokens, parseHost, variableOf } from "./credentials/host-tokens.ts";
export { fetchSource, newestVersion, sameFolders } from "./fetch/fetch-source.ts";
export { withFoldersAt } from "./git/folders-at-ref.ts";
export type { FoundInRegistry, RegistryAnswer } from "./registries/search-registries.ts";
export { searchRegistries } from "./registries/search-registries.ts";
export type { GitLibraries, RepoRefresh, RepoState } from "./repos/git-libraries.ts";
export {
  hasLibrary,
  inspectSources,
  namedRepos,
  openGitLibraries,
  openSources,
  type Sources,
} from "./repos/open-sources.ts";
export {
  createRefresher,
  createSettledSnapshot,
  SEES_EVERY_REPO,
  seesItsRepos,
} from "./repos/refresh-skills.ts";
export { findSourceSkills } from "./repos/source-skills.ts";
export { stalePlugins } from "./stale-plugins.ts";
