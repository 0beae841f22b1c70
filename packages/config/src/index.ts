export { headersOf } from "./analytics-headers.ts";
export { changedKeys, needsRestart } from "./changed-settings.ts";
export {
  type FileSettings,
  hasFileSettings,
  placeOfOrigin,
  projectFileOf,
  readFileSettings,
  withProject,
} from "./file-settings.ts";
export { keyPath, leavesOf } from "./leaves.ts";
export {
  configProblems,
  type LibraryConfigFile,
  loadConfig,
  ownConfigFile,
  readLayer,
  refuseProblems,
} from "./load-config.ts";
export type { Setting } from "./merge.ts";
export { onFilesChange } from "./on-files-change.ts";
export { parseConfigText } from "./parse-config-text.ts";
export { mayHaveProjectFile } from "./possible-project-files.ts";
export { findProjectFile } from "./project-file.ts";
export { readConfigFile } from "./read-config-file.ts";
export { readEnvironment, requiresSigned } from "./read-environment.ts";
export { parseRedisAddress, type RedisAddress, shownRedisAddress } from "./redis-address.ts";
export { CONTRADICTIONS, FLAG_SETTINGS, settingFlags } from "./setting-flags.ts";
export {
  type AnalyticsContext,
  type AuditLogTarget,
  type Config,
  type ConfigProblem,
  type ConfigValues,
  DEFAULT_VALUES,
  type Origin,
  type SandboxMode,
} from "./settings.ts";
export { unsetText, withoutSecrets } from "./shown-settings.ts";
