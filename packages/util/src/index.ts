export {
  makeOwnFolder,
  ownSecret,
  readOwnSecret,
  replaceCacheFile,
  writeFileAtomic,
} from "./files/atomic-write.ts";
export {
  type Awaitable,
  createDirectDisk,
  type Disk,
  describeError,
  errorCode,
  lstat,
  mayExist,
  type OpenedFile,
  POOLED_DISK,
  readdir,
  readlink,
  realpath,
  stat,
  whenReady,
  withOpenFile,
} from "./files/file-system.ts";
export {
  type Fingerprint,
  fingerprintAt,
  fingerprintOf,
  mayChangeUnseen,
  readWhenChanged,
} from "./files/fingerprint.ts";
export { mimeTypeOf } from "./files/mime-types.ts";
export {
  type InsidePath,
  NotOpened,
  readInside,
  readPlaceInside,
  readStartDirectly,
  withFileInside,
} from "./files/open-inside.ts";
export { accountHome, expandHome, homeFolder, isInside, ownFolderIn } from "./files/paths.ts";
export { createLog, LOG_LEVELS, type Log, NO_LOG } from "./log.ts";
export { isLoopbackHost } from "./loopback.ts";
export {
  errorType,
  type ObserveWork,
  UNOBSERVED,
  type WorkKind,
  type WorkResult,
} from "./observe.ts";
export {
  type ObservedRequest,
  type ObserveRequest,
  type RequestOutcome,
} from "./observed-request.ts";
export { ownPackage } from "./own-package.ts";
export { type Platform } from "./platform/platform.ts";
export { PLATFORMS, platform } from "./platform/this-platform.ts";
export { lockHolder, takeLock } from "./processes/folder-lock.ts";
export { signalGroup, spawnGroup } from "./processes/process-group.ts";
export {
  createProcessKey,
  parseProcessKey,
  processState,
} from "./processes/process-key.ts";
export { readProcessStat } from "./processes/process-stat.ts";
export { sha256 } from "./sha256.ts";
export { backoffMs } from "./tasks/backoff.ts";
export { debounce, singleFlight } from "./tasks/single-flight.ts";
export {
  createIdle,
  createTimeSlices,
  type Idle,
  monotonicMs,
  runQueue,
  runSteps,
  type TimeSlices,
} from "./tasks/time-slice.ts";
export { VERSION } from "./version.ts";
