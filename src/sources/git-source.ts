import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Log, mapLog } from "../system/log.ts";
import { createFailingSince } from "./failing-since.ts";
import { parseBranch } from "./git/branch-name.ts";
import { createGitCommands } from "./git/git-commands.ts";
import { usesToken } from "./git/git-environment.ts";
import { DEFAULT_LIMITS, type GitLimits } from "./git/git-limits.ts";
import { createRedactor } from "./git/redact.ts";
import { nameOf, type RepoAddress } from "./git/repo-address.ts";
import { createGitRunner } from "./git/run-git.ts";
import { nextRefreshMs } from "./next-refresh.ts";
import { sync } from "./sync.ts";
import { SyncFailure, type SyncFailureCode } from "./sync-failure.ts";
import { createSyncLog } from "./sync-log.ts";
import type { CacheLock } from "./versions/cache-lock.ts";
import { createReaderLease } from "./versions/reader-lease.ts";
import { countDifferences, type TreeFinding } from "./versions/tree-plan.ts";
import { commitOf, createVersionStore, type VersionRecord } from "./versions/version-store.ts";

export interface GitSourceOptions {
  readonly repo: RepoAddress;
  readonly branch: string;
  readonly token: string | undefined;
  /** The folder of all caches; each repository and branch has its own below it. */
  readonly contentFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly now: () => number;
  readonly limits?: Partial<GitLimits>;
}

export interface GitState {
  readonly commit: string | undefined;
  /** When the remote last answered and the content was equal to it, as ISO text; also from earlier runs. */
  readonly lastSync: string | undefined;
  readonly failure: GitFailure | undefined;
  readonly syncing: boolean;
  /** What of the repository was left out, and why. */
  readonly findings: readonly TreeFinding[];
}

interface GitFailure {
  readonly code: SyncFailureCode | "bug";
  /** Whole sentences: what is wrong, and what is served meanwhile. */
  readonly message: string;
  /** When this row of failures began, as ISO text; also in earlier runs. */
  readonly since: string;
}

type RefreshResult =
  | {
      readonly success: true;
      readonly commitHash: string;
      /** How many files differ from the version before; a renamed file counts twice. */
      readonly filesChanged: number;
      readonly lastSync: string;
      readonly changed: boolean;
      /** There was no content before. */
      readonly isFirst: boolean;
    }
  | {
      readonly success: false;
      readonly commitHash: string | undefined;
      readonly lastSync: string | undefined;
      /** Undefined when nothing is wrong, only under way. */
      readonly failingSince: string | undefined;
      readonly changed: false;
      readonly message: string;
    };

export interface ContentUpdate {
  /** Nothing was served of this repository before. */
  readonly isFirst: boolean;
}

export interface GitSource {
  /** The repository's name, for prefixes. */
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  /** The link to the current version; on Windows a file that names it. Resolve it once per scan, or call `current`. */
  readonly pointer: string;
  /** The folder of the current version, which never changes while it is read; undefined before the first clone. */
  current(): Promise<string | undefined>;
  /** Fetches now. While one runs, another answers at once that it did not. */
  refresh(): Promise<RefreshResult>;
  /** Fetches in the background; without content it is tried again until there is some. */
  start(): void;
  startPeriodic(intervalMs: number): void;
  state(): GitState;
  /** Called after a new version became current. */
  onUpdate(listener: (update: ContentUpdate) => void): () => void;
  /** Ends running gits and timers. */
  close(): Promise<void>;
}

/** How often a first clone is tried at least when there is no periodic refresh. */
const CLONE_RETRY_MS = 60_000;

export function createGitSource(options: GitSourceOptions): GitSource {
  const { repo, token, now } = options;
  const branch = parseBranch(options.branch);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  // By the address alone: the name also depends on the other repositories that are served.
  const hash = createHash("sha256").update(`${repo.url}\n${branch}`).digest("hex").slice(0, 16);
  const folder = path.join(path.resolve(options.contentFolder), `${nameOf(repo.url)}-${hash}`);
  const redact = createRedactor(token);
  const log = mapLog(options.log, (line) => redact(`git ${repo.name}: ${line}`));
  const syncLog = createSyncLog(log, now);
  const { platform } = process;
  const versions = createVersionStore(folder, platform);
  const lease = createReaderLease(folder);
  const listeners = new Set<(update: ContentUpdate) => void>();
  const syncFile = path.join(folder, "last-sync");
  const failingFile = createFailingSince(path.join(folder, "failing-since"), now);

  let lock: CacheLock | undefined;
  const hasToken = usesToken(repo, token);
  const runner = createGitRunner({
    shown: repo.url,
    hasToken,
    redact,
    onSpawn: (pid) => lock?.recordChild(pid),
  });
  const git = createGitCommands({
    repo,
    branch,
    token,
    environment: options.environment,
    platform,
    ceiling: path.dirname(folder),
    home: folder,
    runner,
    limits,
  });

  let loaded: Promise<void> | undefined;
  /** The version that listeners were told of. */
  let known: { readonly version: string; readonly record: VersionRecord | undefined } | undefined;
  /** The commit that readers get, which another process may have brought. */
  let commit: string | undefined;
  let lastSync: string | undefined;
  let failingSince: string | undefined;
  let failure: GitFailure | undefined;
  let failures = 0;
  let running: Promise<RefreshResult> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let intervalMs: number | undefined;
  let closed = false;

  /** What earlier runs and other processes left. */
  function load(): Promise<void> {
    loaded ??= (async () => {
      const version = await versions.current();
      if (version !== undefined) {
        known = { version, record: await versions.record(version) };
        commit = commitOf(version);
      }
      const text = await readFile(syncFile, "utf8").catch(() => "");
      if (!Number.isNaN(Date.parse(text))) lastSync = new Date(text).toISOString();
      failingSince = await failingFile.read();
    })();
    return loaded;
  }

  async function attempt(): Promise<RefreshResult> {
    await load();
    const before = known;
    const began = now();
    if (before === undefined && failures === 0) log.info(`cloning ${repo.url} (branch ${branch}) …`);
    try {
      const { version, record } = await sync({
        folder,
        git,
        versions,
        limits,
        now,
        foldsCase: platform === "win32" || platform === "darwin",
        isClosed: () => closed,
        onLock: (held) => {
          lock = held;
        },
        onProgress: syncLog.progress(),
        log,
      });
      const changed = version !== before?.version;
      const filesChanged = changed ? countDifferences(entriesOf(before?.record), entriesOf(record)) : 0;
      known = { version, record };
      commit = record.commit;
      lastSync = new Date(now()).toISOString();
      // In this order: of a process that is killed in between, no failure may stay that is over.
      await failingFile.end();
      await writeFile(syncFile, lastSync).catch(() => {});
      if (failingSince !== undefined) log.info(`in order again; it had failed since ${failingSince}`);
      failingSince = undefined;
      failure = undefined;
      failures = 0;
      if (changed) {
        const seconds = ((now() - began) / 1000).toFixed(1);
        log.info(
          `at commit ${record.commit.slice(0, 12)}, ${filesChanged} ${filesChanged === 1 ? "file" : "files"} changed, in ${seconds} s`,
        );
        syncLog.findings(record.findings);
      }
      const isFirst = before === undefined;
      return { success: true, commitHash: record.commit, filesChanged, lastSync, changed, isFirst };
    } catch (error) {
      return await failed(error);
    }
  }

  async function failed(error: unknown): Promise<RefreshResult> {
    const code = error instanceof SyncFailure ? error.code : "bug";
    const reason = redact(error instanceof Error ? error.message : String(error));
    const meanwhile =
      commit === undefined ? "There is no content yet." : `Commit ${commit.slice(0, 12)} is still served.`;
    const message = `${reason} ${meanwhile}`;
    if (code !== "closed") {
      failures++;
      if (failure?.message !== message) log.warn(message);
      if (code === "bug" && error instanceof Error) log.error(error.stack ?? "");
      const noted = await failingFile.begin(now());
      // The row of this process goes on, even if another one had better luck meanwhile.
      failingSince = failure?.since ?? noted;
      failure = { code, message, since: failingSince };
    }
    return { success: false, commitHash: commit, lastSync, failingSince, changed: false, message };
  }

  async function refresh(): Promise<RefreshResult> {
    if (closed || running !== undefined) {
      const message = closed ? "The server is shutting down." : "A refresh is running already.";
      return { success: false, commitHash: commit, lastSync, failingSince, changed: false, message };
    }
    clearTimeout(timer);
    running = attempt();
    const result = await running;
    running = undefined;
    schedule();
    if (result.changed) for (const listener of listeners) listener({ isFirst: result.isFirst });
    return result;
  }

  function schedule(): void {
    clearTimeout(timer);
    const hasContent = known !== undefined;
    const interval = intervalMs ?? (hasContent ? undefined : CLONE_RETRY_MS);
    if (closed || interval === undefined) return;
    const delay = nextRefreshMs({ intervalMs: interval, failures, hasContent, random: Math.random() });
    timer = setTimeout(() => void refresh(), delay);
    timer.unref();
  }

  return {
    name: repo.name,
    url: repo.url,
    branch,
    pointer: versions.pointer,
    async current() {
      await load();
      const version = await versions.current();
      if (version === undefined) return undefined;
      commit = commitOf(version);
      await lease.hold(version);
      return versions.folderOf(version);
    },
    refresh,
    start: () => void refresh(),
    startPeriodic(ms) {
      intervalMs = ms;
      if (running === undefined) schedule();
    },
    state: () => ({
      commit,
      lastSync,
      failure,
      syncing: running !== undefined,
      findings: known?.record?.findings ?? [],
    }),
    onUpdate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await runner.close();
      await running?.catch(() => {});
      await lease.release();
    },
  };
}

const entriesOf = (record: VersionRecord | undefined) =>
  record === undefined ? [] : [...record.kept, ...record.dropped];
