export {
  buildCatalog,
  type Catalog,
  type Entry,
  entriesNamed,
  identityOf,
  lookUp,
  qualifiedNames,
  resolveName,
} from "./catalog/catalog.ts";
export { bestExcerpt } from "./catalog/excerpt.ts";
export { parseFilterTokens } from "./catalog/filter.ts";
export { publishNames } from "./catalog/publish-names.ts";
export {
  type ContentFile,
  digestOfAll,
  digestsOf,
  type FileDigests,
  readInstalledContent,
  readSourceContent,
  type SkillContent,
} from "./files/skill-content.ts";
export {
  digestOf,
  MOST_BYTES,
  readFileOfSkill,
  readSkillFile,
  skillFilePath,
} from "./files/skill-file-content.ts";
export {
  type FolderEntry,
  findInSkill,
  isSettled,
  listBundledFiles,
  listSkillFiles,
  MOST_FILES,
  type SkillFile,
  type SkillListing,
  skillFileAt,
} from "./files/skill-folder.ts";
export {
  buildLibrary,
  type Library,
  type LibraryFile,
  type LibrarySkill,
  skillPathOf,
} from "./library/library.ts";
export { fingerprintText, sameItems } from "./read/file-reader.ts";
export { readWhole, readWholeAs } from "./read/read-skill-file.ts";
export {
  fileProvenance,
  provenanceOf,
  readBody,
  readLibraryText,
  readSkill,
  realFileOf,
  repoProvenance,
  sha256Of,
} from "./read/skill-texts.ts";
export type { RefreshEvent } from "./registry/registry.ts";
export { type Snapshot, visibleChange } from "./registry/snapshot.ts";
export { parseManifest } from "./roots/plugin-folders.ts";
export { readJson } from "./roots/plugins.ts";
export { findProjects, homeNames, planRoots, type Root, type RootPlan } from "./roots/roots.ts";
export { SKILL_FOLDERS } from "./scan/listing.ts";
export type { Scan, ScanResult } from "./scan/scan.ts";
export {
  createLibraryScanner,
  type LibraryRoot,
  type LocatedLibrary,
  type ScannedLibrary,
} from "./scan/scan-library.ts";
export { createSkillScanner, placeIn } from "./scan/scan-skills.ts";
export { traverseRoot } from "./scan/traverse.ts";
export {
  FREE_TEXT,
  givenArguments,
  promptArguments,
  substituteArguments,
} from "./skill/arguments.ts";
export {
  compareSeverity,
  type Diagnostic,
  diagnosticLine,
  type Finding,
  isAtLeast,
  isBrokenSkill,
  SEVERITIES,
  type Severity,
  worstSeverity,
} from "./skill/diagnostic.ts";
export { cutFields, isBlankYaml, lineOfKey, splitLines } from "./skill/front-matter/key-lines.ts";
export { readYaml } from "./skill/front-matter/read-yaml.ts";
export { findFrontMatter } from "./skill/front-matter/split.ts";
export { checkInvisible } from "./skill/invisible-text.ts";
export {
  audienceMark,
  describedFor,
  explainInvocation,
  HOST_FIELDS,
  hostFieldsIn,
  hostFieldText,
  INVOCATION_FIELDS,
  invocationFieldOf,
  POLICY_FILE,
  POLICY_FOLDER,
  parseCodexPolicy,
  USUAL,
} from "./skill/invocation.ts";
export { parseLibrarySkill } from "./skill/parse-library-skill.ts";
export { type ParsedSkill, parseSkill } from "./skill/parse-skill.ts";
export type { Requirements } from "./skill/requirements.ts";
export {
  foundIn,
  type Location,
  loadableName,
  type Plugin,
  pathPartIn,
  plainName,
  pluginId,
  type RepoPlace,
  type Skill,
} from "./skill/skill.ts";
export { createToggles, type Toggles } from "./toggle/toggles.ts";
export {
  type Freshness,
  failedRefreshLine,
  installedPluginRoots,
  openRegistry,
} from "./view/open-registry.ts";
export {
  createSkillCatalog,
  loadSkill,
  type SkillCatalog,
} from "./view/skill-catalog.ts";
export {
  type AuditSettings,
  DEFAULT_REFRESH_INTERVAL_MS,
  filterOf,
  type OpenViewOptions,
  type Places,
  resolvePlaces,
  type SettingsRepos,
  type SkillViewOptions,
  viewKey,
} from "./view/skill-options.ts";
export {
  type DisabledByClient,
  type DisabledFor,
  disabledFile,
  readDisabledByClient,
  readDisabledSets,
  type SnapshotView,
  whomText,
  withoutDisabled,
} from "./visibility/disabled-for-client.ts";
export { isListRule, type RuleLists } from "./visibility/list-rules.ts";
export {
  type Audience,
  isForModels,
  listedSkills,
  modelEntries,
  nativeSkills,
  readByAgents,
} from "./visibility/listed-skills.ts";
export {
  brokenName,
  type NotListed,
  notServedAs,
  type ReviewCandidate,
  type ReviewedSkill,
  refusalIfDisabled,
  type SettingsProblem,
  whyNotServed,
  whyWithheld,
} from "./visibility/not-served.ts";
export { createProfileStep } from "./visibility/pipeline.ts";
export {
  allowsScripts,
  alsoOutsideOf,
  fixedProfiles,
  isProfileName,
  knownProfiles,
  type Profile,
  type ProfileSettings,
  requireProfiles,
  smallestBudget,
  unknownProfile,
} from "./visibility/profile.ts";
export {
  createProfiles,
  joinProfiles,
  namesInProfile,
  type Profiles,
  type ProfilesInForce,
  type SnapshotSource,
  sourceInProfiles,
} from "./visibility/profile-source.ts";
export { FolderWatcher } from "./watch/folder-watcher.ts";
