import { stat } from "node:fs/promises";
import path from "node:path";
import type { LibraryRoot } from "../../registry/scan/scan-library.ts";
import { parseRepoUrls } from "../../sources/git/repo-address.ts";
import {
  type ContentUpdate,
  createGitSource,
  type GitSource,
  type GitState,
} from "../../sources/git-source.ts";
import type { Log } from "../../system/log.ts";
import type { LibraryConfigFile } from "../config/load-config.ts";

export interface GitLibrariesOptions {
  /** Addresses, as a comma list. */
  readonly repos: string;
  readonly branch: string;
  readonly token: string | undefined;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** The result of one repository's refresh. */
export interface RepoRefresh {
  readonly repository: string;
  readonly success: boolean;
  readonly commit_hash?: string;
  readonly files_changed?: number;
  readonly last_sync?: string;
  /** When the current series of failures began. */
  readonly failing_since?: string;
  readonly message?: string;
}

export interface RepoState extends GitState {
  readonly name: string;
  readonly url: string;
  readonly branch: string;
}

type ApplyUpdate = (update: ContentUpdate) => Promise<unknown>;

/** Libraries that come from git, each repository one of them. */
export interface GitLibraries {
  readonly roots: readonly LibraryRoot[];
  /** The settings that come with the content; none before the first fetch. */
  configFiles(): Promise<readonly LibraryConfigFile[]>;
  /** Fetches in the background: now, and then periodically. */
  start(intervalMs: number | undefined): void;
  /** Waits for the first fetch of each repository without content. Answers whether there was one. */
  fetchMissing(): Promise<boolean>;
  refresh(): Promise<readonly RepoRefresh[]>;
  states(): readonly RepoState[];
  /**
   * Sets what new content leads to: first its settings are loaded, then its skills are read, one update at a time. A
   * refresh answers once both are done, and fails if one of them does.
   */
  onUpdate(stage: "settings" | "skills", apply: ApplyUpdate): void;
  close(): Promise<void>;
}

/** The skills folder of a repository; without it, the whole repository is the library. */
const SKILLS_FOLDER = "skills";

export function createGitLibraries(options: GitLibrariesOptions): GitLibraries {
  const { branch, token, environment, log } = options;
  const contentFolder = path.join(options.ownFolder, "content");
  const sources = parseRepoUrls(options.repos).map((repo) =>
    createGitSource({ repo, branch, token, contentFolder, environment, log, now: Date.now }),
  );
  const updates = createUpdateQueue();
  for (const source of sources) source.onUpdate(updates.add);
  /** The fetches of the start, while they run. */
  const firstAttempts = new Map<GitSource, ReturnType<GitSource["refresh"]>>();
  let missing: Promise<boolean> | undefined;

  const firstFetch = async (source: GitSource): Promise<boolean> => {
    const fetched = await fetchIfMissing(source);
    if (fetched) return true;
    // The cached content is served at once and updated in the background.
    const attempt = source.refresh();
    firstAttempts.set(source, attempt);
    void attempt.then(() => firstAttempts.delete(source));
    return false;
  };
  return {
    roots: libraryRootsOf(sources),
    configFiles: () => configFilesOf(sources),
    start(intervalMs) {
      missing = anyOf(sources.map(firstFetch));
      if (intervalMs !== undefined) for (const source of sources) source.startPeriodic(intervalMs);
    },
    async fetchMissing() {
      missing ??= anyOf(sources.map(fetchIfMissing));
      const fetched = await missing;
      await updates.settled();
      return fetched;
    },
    async refresh() {
      const refreshed = await Promise.all(
        sources.map((source) => refreshOne(source, firstAttempts.get(source))),
      );
      await updates.settled();
      return refreshed;
    },
    states: () =>
      sources.map((source) => ({ ...source.state(), name: source.name, url: source.url, branch })),
    onUpdate: updates.set,
    async close() {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
}

/** Applies updates of all repositories one after the other: the settings first, then the skills. */
function createUpdateQueue() {
  const stages: Record<"settings" | "skills", ApplyUpdate> = { settings: NOTHING, skills: NOTHING };
  let last: Promise<unknown> = Promise.resolve();
  return {
    set(stage: keyof typeof stages, apply: ApplyUpdate): void {
      stages[stage] = apply;
    },
    add(update: ContentUpdate): void {
      last = last
        .catch(() => {})
        .then(async () => {
          await stages.settings(update);
          await stages.skills(update);
        });
      // Callers of `settled` receive the failure.
      last.catch(() => {});
    },
    settled: () => last,
  };
}

const NOTHING: ApplyUpdate = async () => {};

function libraryRootsOf(sources: readonly GitSource[]): readonly LibraryRoot[] {
  return sources.map((source) => ({
    dir: source.pointer,
    locate: () => libraryIn(source),
    location: "user",
    // A single repository is the library; several get one prefix each.
    prefix: sources.length === 1 ? "" : source.name,
    named: false,
  }));
}

async function configFilesOf(sources: readonly GitSource[]): Promise<readonly LibraryConfigFile[]> {
  const folders = await Promise.all(sources.map((source) => source.current()));
  return folders
    .flatMap((folder) => (folder === undefined ? [] : [path.join(folder, SKILLS_FOLDER), folder]))
    .map((folder) => ({ file: path.join(folder, "config.yaml"), fromGit: true }));
}

async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(answers)).includes(true);
}

async function fetchIfMissing(source: GitSource): Promise<boolean> {
  if ((await source.current()) !== undefined) return false;
  await source.refresh();
  return true;
}

async function libraryIn(source: GitSource): Promise<string | undefined> {
  const folder = await source.current();
  if (folder === undefined) return undefined;
  const skills = path.join(folder, SKILLS_FOLDER);
  const isThere = await stat(skills).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isThere ? skills : folder;
}

/** A refresh that is requested during the first fetch waits for it instead of being refused. */
async function refreshOne(
  source: GitSource,
  firstAttempt: ReturnType<GitSource["refresh"]> | undefined,
): Promise<RepoRefresh> {
  const first = await firstAttempt;
  const result = first?.success === false || first?.changed === true ? first : await source.refresh();
  const { commitHash, lastSync } = result;
  const failingSince = result.success ? undefined : result.failingSince;
  return {
    repository: source.name,
    success: result.success,
    ...(commitHash === undefined ? {} : { commit_hash: commitHash }),
    ...(result.success ? { files_changed: result.filesChanged } : { message: result.message }),
    ...(lastSync === undefined ? {} : { last_sync: lastSync }),
    ...(failingSince === undefined ? {} : { failing_since: failingSince }),
  };
}
