export { headersOf } from "./analytics-headers.ts";
export {
  configProblems,
  type FileSettings,
  findProjectFile,
  hasFileSettings,
  ownConfigFile,
  placeOfOrigin,
  projectFileOf,
  readConfigFile,
  readFileSettings,
  readOwnSettings,
  refuseProblems,
  withProject,
} from "./config-files.ts";
export {
  type LibraryConfigFile,
  loadConfig,
  readConfig,
  readEnvironment,
  requiresSigned,
} from "./load-config.ts";
export { MACHINE_POLICY, type MachinePolicy, readMachinePolicy, stricterOf } from "./machine-policy.ts";
export { onFilesChange } from "./on-files-change.ts";
export { parseConfigText } from "./parse-config-text.ts";
export { mayHaveProjectFile, PROJECT_FILE, PROJECT_LOCK } from "./possible-project-files.ts";
export { parseRedisAddress, type RedisAddress } from "./redis-address.ts";
export { FLAG_SETTINGS, settingFlags } from "./setting-flags.ts";
export {
  type AuditLogTarget,
  type Config,
  type ConfigProblem,
  type ConfigValues,
  changedKeys,
  DEFAULT_VALUES,
  keyPath,
  mergeSettings,
  needsRestart,
  type SandboxMode,
} from "./settings.ts";
export { shownConfig } from "./shown-settings.ts";
