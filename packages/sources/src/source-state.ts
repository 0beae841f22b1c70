import { lstat, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { writeFileAtomic } from "#util";
import type { GitSyncOptions, Synced } from "./sync.ts";
import { SyncFailure, type SyncFailureCode } from "./sync-failure.ts";
import { countDifferences, type TreeFinding } from "./versions/tree-plan.ts";
import { commitOf, type VersionRecord } from "./versions/version-cache.ts";

export interface GitState {
  readonly commit: string | undefined;
  /** When the content was last equal to the remote, as ISO text; maybe in an earlier run. */
  readonly lastSync: string | undefined;
  readonly failure: GitFailure | undefined;
  readonly syncing: boolean;
  /** Files of the repository that were skipped, and why. */
  readonly findings: readonly TreeFinding[];
}

interface GitFailure {
  readonly code: SyncFailureCode | "bug";
  /** Whole sentences: what is wrong, and what is served meanwhile. */
  readonly message: string;
  /** When this series of failures began, as ISO text; maybe in an earlier run. */
  readonly since: string;
}

export type RefreshResult =
  | {
      readonly success: true;
      readonly commitHash: string;
      /** How many files differ from the previous version; a renamed file counts twice. */
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
      /** Undefined when a refresh is in progress and nothing is wrong. */
      readonly failingSince: string | undefined;
      readonly changed: false;
      readonly message: string;
    };

type SourceStateOptions = Pick<GitSyncOptions, "folder" | "versions" | "redact" | "now" | "log">;

/** What is served, when syncing last worked and since when it fails; cached in files for later runs and other processes. */
export function createSourceState(options: SourceStateOptions) {
  const { folder, versions, now } = options;
  const syncFile = path.join(folder, "last-sync");
  const series = createFailureSeries(options);
  let loaded: Promise<void> | undefined;
  /** The version that listeners know. */
  let known: { readonly version: string; readonly record: VersionRecord | undefined } | undefined;
  /** The commit that readers get, which another process may have fetched. */
  let commit: string | undefined;
  let lastSync: string | undefined;

  async function currentVersion(): Promise<string | undefined> {
    const version = await versions.current();
    if (version !== undefined) commit = commitOf(version);
    return version;
  }

  async function readFiles(): Promise<void> {
    const version = await currentVersion();
    if (version !== undefined) known = { version, record: await versions.record(version) };
    const text = await readFile(syncFile, "utf8").catch(() => "");
    if (!Number.isNaN(Date.parse(text))) lastSync = new Date(text).toISOString();
    await series.load();
  }

  const refused = (message: string): RefreshResult => {
    const failingSince = series.since();
    return { success: false, commitHash: commit, lastSync, failingSince, changed: false, message };
  };

  return {
    load: (): Promise<void> => (loaded ??= readFiles()),
    currentVersion,
    async succeeded({ version, record }: Synced): Promise<RefreshResult> {
      const before = known;
      const isFirst = before === undefined;
      const changed = version !== before?.version;
      const filesChanged = changed ? countDifferences(entriesOf(before?.record), entriesOf(record)) : 0;
      known = { version, record };
      commit = record.commit;
      lastSync = new Date(now()).toISOString();
      // In this order: a process that is killed in between must not leave a record of failures that have ended.
      await series.end();
      await writeFileAtomic(syncFile, lastSync).catch(() => {});
      return { success: true, commitHash: commit, filesChanged, lastSync, changed, isFirst };
    },
    failed: async (error: unknown): Promise<RefreshResult> => refused(await series.add(error, commit)),
    refused,
    hasContent: (): boolean => known !== undefined,
    failures: series.count,
    read: () => ({ commit, lastSync, failure: series.last(), findings: known?.record?.findings ?? [] }),
  };
}

/** Failures in a row. */
function createFailureSeries({ folder, redact, now, log }: SourceStateOptions) {
  const file = createFailingSince(path.join(folder, "failing-since"), now);
  let since: string | undefined;
  let last: GitFailure | undefined;
  let count = 0;
  return {
    async load(): Promise<void> {
      since = await file.read();
    },
    /** Returns the message for people. */
    async add(error: unknown, commit: string | undefined): Promise<string> {
      const code = error instanceof SyncFailure ? error.code : "bug";
      const message = `${redact(error instanceof Error ? error.message : String(error))} ${served(commit)}`;
      if (code === "closed") return message;
      count++;
      if (last?.message !== message) log.warn(message);
      if (code === "bug" && error instanceof Error) log.error(error.stack ?? "");
      const began = await file.begin(now());
      // The series of this process continues even if another process succeeded meanwhile.
      since = last?.since ?? began;
      last = { code, message, since };
      return message;
    },
    async end(): Promise<void> {
      await file.end();
      if (since !== undefined) log.info(`recovered; it had failed since ${since}`);
      since = undefined;
      last = undefined;
      count = 0;
    },
    since: (): string | undefined => since,
    last: (): GitFailure | undefined => last,
    count: (): number => count,
  };
}

const served = (commit: string | undefined): string =>
  commit === undefined ? "There is no content yet." : `Commit ${commit.slice(0, 12)} is still served.`;

const entriesOf = (record: VersionRecord | undefined) =>
  record === undefined ? [] : [...record.kept, ...record.dropped];

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LONGEST = 64;

/** A file with the time when failures began. */
export function createFailingSince(file: string, now: () => number) {
  /** Undefined when the last attempt succeeded. */
  async function read(): Promise<string | undefined> {
    try {
      const stats = await lstat(file);
      if (!stats.isFile() || stats.size > LONGEST) return undefined;
      const text = await readFile(file, "utf8");
      // Times in the future are ignored: the clock was set back.
      return ISO.test(text) && Date.parse(text) <= now() ? text : undefined;
    } catch {
      return undefined;
    }
  }
  const end = (): Promise<void> => rm(file, { recursive: true, force: true }).catch(() => {});

  return {
    read,
    /** Records a failure, unless an earlier one is recorded. Returns the one that began the series. */
    async begin(at: number): Promise<string> {
      const recorded = await read();
      if (recorded !== undefined) return recorded;
      const since = new Date(at).toISOString();
      // What is there now is damaged, and may be a folder.
      await end();
      // A full disk may be what fails; then the next failure is recorded.
      await writeFileAtomic(file, since).catch(() => {});
      return since;
    },
    end,
  };
}
