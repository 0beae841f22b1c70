import type { TreeLimits } from "../versions/tree-plan.ts";

/** What one fetch may cost: disk, memory, time and requests. */
export interface FetchLimits extends TreeLimits {
  /** An archive as it is downloaded or read; it is held in memory. */
  readonly archiveBytes: number;
  /** An archive that unpacks to more than `ratioFromBytes` may be this many times its own size. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** An index of a site, a `marketplace.json` or the versions of an npm package. */
  readonly indexBytes: number;
  /** Skills that one site may list. */
  readonly listedSkills: number;
  readonly redirects: number;
  /** Requests to one site at a time. */
  readonly requestsAtOnce: number;
  /** One request, from its start to the last byte. */
  readonly requestMs: number;
  /** How long a server may send nothing. */
  readonly stallMs: number;
  /** How old the leftovers of a process that cannot be examined must be to be removed. */
  readonly staleMs: number;
}

const MIB = 1024 * 1024;

/**
 * The largest public collections of skills have some thousand files and some ten MiB, and one skill rarely has more than
 * a hundred files: these limits are ten times that, and far below what fills a disk or the memory.
 */
export const FETCH_LIMITS: FetchLimits = {
  files: 10_000,
  fileBytes: 50 * MIB,
  totalBytes: 200 * MIB,
  // Windows programs have 260 characters for a whole path; the folder that a skill is installed to needs some of them.
  pathBytes: 400,
  depth: 24,
  archiveBytes: 100 * MIB,
  // Text shrinks to a tenth or twentieth, deflate's limit is 1:1032. Below 10 MiB any ratio is harmless.
  ratio: 200,
  ratioFromBytes: 10 * MIB,
  // Popular npm packages have ten MiB of versions.
  indexBytes: 32 * MIB,
  listedSkills: 5_000,
  redirects: 5,
  requestsAtOnce: 6,
  requestMs: 5 * 60_000,
  stallMs: 30_000,
  staleMs: 24 * 60 * 60_000,
};

/** Repositories and folders hold more than skills, so their limits are those of the repositories that are served. */
export const REPOSITORY_LIMITS: TreeLimits = {
  files: 50_000,
  totalBytes: 1024 * MIB,
  fileBytes: 50 * MIB,
  pathBytes: 800,
  depth: 32,
};
