import path from "node:path";
import type { RepoPlace } from "#skills";
import { backoffMs, createLog, type Log, type ObserveWork, platform, sha256, UNOBSERVED } from "#util";
import type { BranchFrom } from "./git/git-commands.ts";
import { GIT_LIMITS, type GitLimits } from "./git/git-limits.ts";
import { createRedactor } from "./git/redact.ts";
import { nameOf, parseBranch, type RepoAddress } from "./git/repo-address.ts";
import { createSourceState, type GitState, type RefreshResult } from "./source-state.ts";
import { createSync } from "./sync.ts";
import { createReaderLease } from "./versions/reader-lease.ts";
import type { TreeFinding } from "./versions/tree-plan.ts";
import { commitOf, createVersionCache, placeInVersions } from "./versions/version-cache.ts";

export type { GitState } from "./source-state.ts";

export interface GitSourceOptions {
  readonly repo: RepoAddress;
  /** A branch, a tag or a commit. */
  readonly branch: string;
  /** Who named it. Default: the variable. */
  readonly branchFrom?: BranchFrom;
  readonly token: string | undefined;
  /** Where the token is from. Default: the variable. */
  readonly tokenFrom?: string;
  /** True: commits without a signature that the operator's git accepts are not served. */
  readonly requireSigned?: boolean;
  /** The folder of all caches; each repository and branch has its own below it. */
  readonly contentFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with each update. */
  readonly observe?: ObserveWork;
  readonly log: Log;
  readonly now: () => number;
  readonly limits?: Partial<GitLimits>;
}

export interface ContentUpdate {
  /** There was no content of this repository before. */
  readonly isFirst: boolean;
}

/** One version of a repository on the disk. */
export interface SourceContent {
  readonly folder: string;
  readonly commit: string;
  /** Every file below the folder, with `/`. */
  files(): Promise<readonly string[]>;
}

/** Asked before a periodic fetch: another process may do it. */
export type MayPoll = () => Promise<boolean>;

export interface GitSource {
  /** The repository's name, for prefixes. */
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  /** The link to the current version; on Windows a file that names it. Resolve it once per scan, or call `current`. */
  readonly pointer: string;
  /** The folder of the current version, which never changes while it is read; undefined before the first clone. */
  current(): Promise<string | undefined>;
  /** What that folder holds; undefined before the first clone. */
  content(): Promise<SourceContent | undefined>;
  /** The place in the repository that a file of one of its versions is; undefined for any other file. */
  placeOf(file: string): RepoPlace | undefined;
  /**
   * Fetches now. While a refresh runs, another call returns at once without success; with `wait`, it fetches again once that
   * one is done, because it may have asked the remote before a push.
   */
  refresh(options?: { readonly wait?: boolean }): Promise<RefreshResult>;
  /** Fetches periodically, when `mayPoll` allows it. Without content, a failed clone is retried in any case. */
  startPeriodic(intervalMs: number, mayPoll?: MayPoll): void;
  state(): GitState;
  /** Calls back after a new version became current. */
  onUpdate(listener: (update: ContentUpdate) => void): () => void;
  /** Ends running git processes and timers. */
  close(): Promise<void>;
}

const HOUR = 3_600_000;
const FIRST_RETRY_MS = 5_000;
/** The longest wait between two attempts to clone without a periodic refresh. */
const CLONE_RETRY_MS = 60_000;
const SHOWN_FINDINGS = 10;

export function createGitSource(options: GitSourceOptions): GitSource {
  const { repo, now } = options;
  const {
    tokenFrom = "GITHUB_TOKEN",
    branchFrom = "SKILLS_BRANCH",
    requireSigned = false,
    observe = UNOBSERVED,
  } = options;
  const branch = parseBranch(options.branch);
  const folder = cacheFolder(options.contentFolder, repo, branch, requireSigned);
  const redact = createRedactor(options.token);
  const log = createLog(
    (level, message, details) => options.log[level](redact(`git ${repo.name}: ${message}`), details),
    "debug",
  );
  const versions = createVersionCache(folder, platform);
  const lease = createReaderLease(folder);
  const state = createSourceState({ folder, versions, redact, now, log });
  const limits = { ...GIT_LIMITS, ...options.limits };
  const own = { branch, branchFrom, tokenFrom, requireSigned, folder, versions, limits, redact, log };
  const syncer = createSync({ ...options, ...own });
  const listeners = new Set<(update: ContentUpdate) => void>();

  async function content(): Promise<SourceContent | undefined> {
    await state.load();
    const version = await state.currentVersion();
    if (version === undefined) return undefined;
    await lease.hold(version);
    const files = () => versions.files(version);
    return { folder: versions.folderOf(version), commit: commitOf(version), files };
  }

  async function update(): Promise<RefreshResult> {
    await state.load();
    const began = now();
    if (!state.hasContent() && state.failures() === 0)
      log.info(`cloning ${repo.url} (${branchFrom === "address" ? branch : `branch ${branch}`}) …`);
    try {
      const result = await state.succeeded(await syncer.sync());
      if (result.changed) logUpdate(result, now() - began, state.read().findings, log);
      return result;
    } catch (error) {
      return state.failed(error);
    }
  }

  const observed = (): Promise<RefreshResult> =>
    observe({
      kind: "git",
      facts: { repository: repo.name },
      run: update,
      describe: ({ success, changed }) => ({
        facts: { changed },
        ...(success ? {} : { failed: state.read().failure?.code ?? "_OTHER" }),
      }),
    });
  const refresher = createRefresher(observed, state, (change) => {
    for (const listener of listeners) listener(change);
  });

  return {
    name: repo.name,
    url: repo.url,
    branch,
    pointer: versions.pointer,
    current: async () => (await content())?.folder,
    content,
    placeOf: (file) => placeInVersions(folder, file, repo.url),
    refresh: refresher.refresh,
    startPeriodic: refresher.startPeriodic,
    state: () => ({ ...state.read(), syncing: refresher.isRunning() }),
    onUpdate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      const idle = refresher.stop();
      await syncer.close();
      await idle;
      await lease.release();
    },
  };
}

/** Named by the address alone: the repository's name also depends on the others that are served. */
function cacheFolder(contentFolder: string, repo: RepoAddress, branch: string, isSigned: boolean): string {
  // A folder of its own: nothing that was fetched without a check is in it.
  const what = `${repo.url}\n${branch}${isSigned ? "\nsigned" : ""}`;
  const hash = sha256(what).toString("hex").slice(0, 16);
  return path.join(path.resolve(contentFolder), `${nameOf(repo.url)}-${hash}`);
}

/** Runs one update at a time, periodically or when asked. */
function createRefresher(
  update: () => Promise<RefreshResult>,
  state: ReturnType<typeof createSourceState>,
  onUpdate: (change: ContentUpdate) => void,
) {
  let running: Promise<RefreshResult> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let intervalMs: number | undefined;
  let mayPoll: MayPoll = () => Promise.resolve(true);
  let closed = false;

  async function poll(): Promise<void> {
    if (!state.hasContent() || (await mayPoll())) await refresh();
    else schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    const hasContent = state.hasContent();
    const interval = intervalMs ?? (hasContent ? undefined : CLONE_RETRY_MS);
    if (closed || interval === undefined) return;
    timer = setTimeout(() => void poll(), nextRefreshMs(interval, state.failures(), hasContent)).unref();
  }

  async function refresh({ wait = false } = {}): Promise<RefreshResult> {
    while (wait && running !== undefined && !closed) await running;
    if (closed) return state.refused("The server is shutting down.");
    if (running !== undefined) return state.refused("A refresh is already running.");
    clearTimeout(timer);
    running = update();
    const result = await running;
    running = undefined;
    schedule();
    if (result.changed) onUpdate({ isFirst: result.isFirst });
    return result;
  }

  return {
    refresh,
    startPeriodic(ms: number, allowed: MayPoll = mayPoll): void {
      intervalMs = ms;
      mayPoll = allowed;
      if (running === undefined) schedule();
    },
    isRunning: (): boolean => running !== undefined,
    /** Resolves when no update runs any more. */
    async stop(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}

/**
 * How long to wait for the next refresh. With content, failures double the wait up to an hour, to spare a server in
 * trouble; without content, the first retry comes soon.
 */
export function nextRefreshMs(
  intervalMs: number,
  failures: number,
  hasContent: boolean,
  random: number = Math.random(),
): number {
  if (failures === 0) return intervalMs;
  return hasContent
    ? backoffMs(failures, { firstMs: intervalMs, longestMs: Math.max(intervalMs, HOUR), random })
    : backoffMs(failures, { firstMs: FIRST_RETRY_MS, longestMs: intervalMs, random });
}

function logUpdate(
  { commitHash, filesChanged }: Extract<RefreshResult, { success: true }>,
  tookMs: number,
  findings: readonly TreeFinding[],
  log: Log,
): void {
  const files = `${filesChanged} ${filesChanged === 1 ? "file" : "files"}`;
  log.info(`at commit ${commitHash.slice(0, 12)}, ${files} changed, in ${(tookMs / 1000).toFixed(1)} s`);
  for (const finding of findings.slice(0, SHOWN_FINDINGS))
    log.warn(`skipped ${finding.path}: ${finding.message}`);
  const more = findings.length - SHOWN_FINDINGS;
  if (more > 0) log.warn(`skipped ${more} more files`);
}
