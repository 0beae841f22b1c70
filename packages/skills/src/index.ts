export { type Catalog, type Entry, identityOf, qualifiedNames } from "./catalog/catalog.ts";
export { bestExcerpt } from "./catalog/excerpt.ts";
export { parseFilterTokens } from "./catalog/filter.ts";
export { publishNames } from "./catalog/publish-names.ts";
export { entriesNamed, lookUp, resolveName } from "./catalog/resolve-name.ts";
export { estimateTokens } from "./describe/estimate-tokens.ts";
export { line, listFormat, xmlFormat } from "./describe/formats.ts";
export { byLikelyUse, type LikelyUse, type OrderedSkills } from "./describe/list-order.ts";
export { endOfPage, sizeOf, type TextKind, wholePosition } from "./describe/page-text.ts";
export { MANIFESTS, NO_TOPICS, type ProjectTopics, projectTopics } from "./describe/project-topics.ts";
export { type Catalogue, writeCatalogue } from "./describe/write-catalogue.ts";
export { type FileOfSkill, readFileOfSkill } from "./files/read-file-of-skill.ts";
export {
  type ContentFile,
  computedHash,
  digestOfAll,
  digestsOf,
  type FileDigests,
  gitTreeHash,
  readInstalledContent,
  readSourceContent,
  type SkillContent,
} from "./files/skill-content.ts";
export { digestOf, MOST_BYTES, readSkillFile, skillFilePath } from "./files/skill-file-content.ts";
export {
  type BundledFiles,
  type FolderEntry,
  findInSkill,
  isSettled,
  listBundledFiles,
  listSkillFiles,
  MOST_FILES,
  type SkillFile,
  type SkillListing,
  type SkillPlace,
  skillFileAt,
} from "./files/skill-folder.ts";
export { buildLibrary, type LibraryFile, skillPathOf } from "./library/build-library.ts";
export type { Library, LibrarySkill } from "./library/library.ts";
export { fingerprintText, sameItems } from "./read/file-reader.ts";
export { readWhole, readWholeAs } from "./read/read-skill-file.ts";
export { isDisabledFile, placeIn } from "./read/skill-result.ts";
export { readBody, readLibraryText, readSkill, realFileOf } from "./read/skill-texts.ts";
export type { RefreshEvent } from "./registry/registry.ts";
export type { Snapshot } from "./registry/snapshot.ts";
export { readJson } from "./roots/json-file.ts";
export { parseManifest } from "./roots/plugin-manifest.ts";
export { findProjects, homeNames, repositoriesOn } from "./roots/projects.ts";
export { planRoots, type Root, type RootPlan } from "./roots/roots.ts";
export { SKILL_FOLDERS } from "./scan/listing.ts";
export type { Scan, ScanResult } from "./scan/scan.ts";
export {
  createLibraryScanner,
  type LibraryRoot,
  type LocatedLibrary,
  type ScannedLibrary,
} from "./scan/scan-library.ts";
export { createSkillScanner } from "./scan/scan-skills.ts";
export type { FoundFile } from "./scan/scan-state.ts";
export { traverseRoot } from "./scan/traverse.ts";
export {
  FREE_TEXT,
  givenArguments,
  promptArguments,
  type SkillArgument,
  substituteArguments,
} from "./skill/arguments.ts";
export { POLICY_FILE, POLICY_FOLDER, parseCodexPolicy } from "./skill/codex-policy.ts";
export { type Diagnostic, diagnosticLine, isBrokenSkill, type Problem } from "./skill/diagnostic.ts";
export type { Finding } from "./skill/finding.ts";
export { cutFields, lineOfKey } from "./skill/front-matter/key-lines.ts";
export { isBlankYaml, splitLines } from "./skill/front-matter/lines.ts";
export { readYaml } from "./skill/front-matter/read-yaml.ts";
export { type Block, findFrontMatter } from "./skill/front-matter/split.ts";
export { checkHidden } from "./skill/hidden-text.ts";
export {
  audienceMark,
  describedFor,
  explainInvocation,
  HOST_FIELDS,
  hostFieldsIn,
  hostFieldText,
  INVOCATION_FIELDS,
  type Invocation,
  invocationFieldOf,
  USUAL,
} from "./skill/invocation.ts";
export type { DeclaredAsset, DeclaredScript } from "./skill/library-front-matter.ts";
export { loadableName, pathPartIn, plainName } from "./skill/names.ts";
export { parseLibrarySkill } from "./skill/parse-library-skill.ts";
export { type ParsedSkill, parseSkill, type ReadingRules } from "./skill/parse-skill.ts";
export {
  fileProvenance,
  type Provenance,
  provenanceOf,
  repoProvenance,
  sha256Of,
} from "./skill/provenance.ts";
export { compareSeverity, isAtLeast, SEVERITIES, type Severity, worstSeverity } from "./skill/severity.ts";
export { foundIn, type Location, type Plugin, pluginId, type RepoPlace, type Skill } from "./skill/skill.ts";
export { createToggles, type Toggles } from "./toggle/create-toggles.ts";
export { type DisabledFor, disabledFile, readDisabledSets } from "./toggle/disabled-sets.ts";
export type { ToggleResult } from "./toggle/toggle-skill.ts";
export { type LoadedSkill, loadSkill, readSkillText } from "./view/load-skill.ts";
export { type Freshness, failedRefreshLine, openRegistry } from "./view/open-registry.ts";
export {
  type CatalogList,
  type CatalogSearch,
  createSkillCatalog,
  type SkillCatalog,
} from "./view/skill-catalog.ts";
export {
  type AuditSettings,
  DEFAULT_REFRESH_INTERVAL_MS,
  type FreshnessOptions,
  type OpenViewOptions,
  type ServedRepos,
  type SettingsRepos,
  type SkillViewOptions,
} from "./view/skill-options.ts";
export { brokenName, type SkillRow, skillFile, skillRows } from "./view/skill-rows.ts";
export { movedFolders, type Places, resolvePlaces, viewKey } from "./view/view-options.ts";
export {
  alsoOutsideOf,
  type DisabledByClient,
  readDisabledByClient,
  type SnapshotView,
  whomText,
  withoutDisabled,
} from "./visibility/disabled-for-client.ts";
export { knownProfiles, requireProfiles, unknownProfile } from "./visibility/known-profiles.ts";
export { listedSkills, nativeSkills } from "./visibility/listed-skills.ts";
export { type Audience, isForModels, modelEntries } from "./visibility/model-entries.ts";
export { namesInProfile } from "./visibility/names-in-profile.ts";
export { type NotListed, type NotServed, notServedAs } from "./visibility/not-served.ts";
export {
  allowsScripts,
  fixedProfiles,
  isProfileName,
  type Profile,
  smallestBudget,
} from "./visibility/profile.ts";
export type { ProfileSettings } from "./visibility/profile-settings.ts";
export {
  joinProfiles,
  type ProfilesInForce,
  type SnapshotSource,
  sourceInProfiles,
} from "./visibility/profile-source.ts";
export { createProfiles, type Profiles } from "./visibility/profiles.ts";
export type { ReviewCandidate, ReviewedSkill } from "./visibility/reviewed.ts";
export { refusalIfDisabled, whyNotServed } from "./visibility/why-not-served.ts";
export { FolderWatcher } from "./watch/folder-watcher.ts";
