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
export { keyPath } from "./leaves.ts";
export {
  configProblems,
  type LibraryConfigFile,
  loadConfig,
  ownConfigFile,
  readOwnSettings,
  refuseProblems,
} from "./load-config.ts";
export { onFilesChange } from "./on-files-change.ts";
export { parseConfigText } from "./parse-config-text.ts";
export { mayHaveProjectFile } from "./possible-project-files.ts";
export { findProjectFile } from "./project-file.ts";
export { readConfigFile } from "./read-config-file.ts";
export { readEnvironment, requiresSigned } from "./read-environment.ts";
export { parseRedisAddress, type RedisAddress } from "./redis-address.ts";
export { FLAG_SETTINGS, settingFlags } from "./setting-flags.ts";
export {
  type AuditLogTarget,
  type Config,
  type ConfigProblem,
  type ConfigValues,
  DEFAULT_VALUES,
  type Origin,
  type SandboxMode,
} from "./settings.ts";
export { shownSettings, withoutSecrets } from "./shown-settings.ts";
