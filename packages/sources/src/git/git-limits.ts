import type { TreeLimits } from "../versions/tree-plan.ts";

/** Limits for size, time and disk space. */
export interface GitLimits extends TreeLimits {
  readonly listMs: number;
  readonly fetchMs: number;
  readonly localMs: number;
  readonly lowSpeedSeconds: number;
  /** How long another process may own the lock before a refresh gives up. */
  readonly lockWaitMs: number;
  readonly packBytes: number;
  /** This many packs are merged into one. */
  readonly packs: number;
  readonly versions: number;
  readonly graceMs: number;
}

const MIB = 1024 * 1024;

export const GIT_LIMITS: GitLimits = {
  files: 50_000,
  totalBytes: 1024 * MIB,
  fileBytes: 64 * MIB,
  pathBytes: 800,
  depth: 32,
  listMs: 60_000,
  fetchMs: 8 * 60_000,
  localMs: 2 * 60_000,
  lowSpeedSeconds: 20,
  lockWaitMs: 60_000,
  packBytes: 2048 * MIB,
  packs: 20,
  versions: 3,
  graceMs: 10 * 60_000,
};
