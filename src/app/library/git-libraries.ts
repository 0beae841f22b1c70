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

/** What one repository's refresh came to. */
export interface RepoRefresh {
  readonly repository: string;
  readonly success: boolean;
  readonly commit_hash?: string;
  readonly files_changed?: number;
  readonly last_sync?: string;
  /** When the failures began, of which this is the last. */
  readonly failing_since?: string;
  readonly message?: string;
}

export interface RepoState extends GitState {
  readonly name: string;
  readonly url: string;
  readonly branch: string;
}

/** Libraries that come from git, each repository one of them. */
export interface GitLibraries {
  readonly roots: readonly LibraryRoot[];
  /** The settings that come with the content; none before it is there. */
  configFiles(): Promise<readonly LibraryConfigFile[]>;
  /** Fetches behind what is served, now and then periodically. */
  start(intervalMs: number | undefined): void;
  /** Waits for the first attempt to get content where there is none yet. Answers whether there was any to wait for. */
  fetchMissing(): Promise<boolean>;
  refresh(): Promise<readonly RepoRefresh[]>;
  states(): readonly RepoState[];
  /** Calls back after new content came. A refresh answers once the listeners are done with it, and fails if one does. */
  onUpdate(listener: (update: ContentUpdate) => void | Promise<void>): void;
  close(): Promise<void>;
}

/** Where a repository keeps its skills; one without this folder is a library as a whole. */
const SKILLS_FOLDER = "skills";

export function createGitLibraries(options: GitLibrariesOptions): GitLibraries {
  const { branch, token, environment, log } = options;
  const repos = parseRepoUrls(options.repos);
  const contentFolder = path.join(options.ownFolder, "content");
  const sources = repos.map((repo) =>
    createGitSource({ repo, branch, token, contentFolder, environment, log, now: Date.now }),
  );
  /** The fetches of the start, while they run. */
  const firstAttempts = new Map<GitSource, ReturnType<GitSource["refresh"]>>();
  let missing: Promise<boolean> | undefined;
  let told: Promise<unknown> = Promise.resolve();
  return {
    roots: sources.map((source): LibraryRoot => {
      return {
        dir: source.pointer,
        locate: () => libraryIn(source),
        location: "user",
        // A single repository is the library; of several, each has its own corner.
        prefix: sources.length === 1 ? "" : source.name,
        named: false,
      };
    }),
    async configFiles() {
      const folders = await Promise.all(sources.map(async (source) => (await source.current()) ?? []));
      return folders
        .flat()
        .flatMap((folder) => [
          path.join(folder, SKILLS_FOLDER, "config.yaml"),
          path.join(folder, "config.yaml"),
        ])
        .map((file) => ({ file, fromGit: true }));
    },
    start(intervalMs) {
      const fetch = async (source: GitSource): Promise<boolean> => {
        const fetched = await fetchIfMissing(source);
        // With content the network can wait.
        if (!fetched) {
          const attempt = source.refresh();
          firstAttempts.set(source, attempt);
          void attempt.then(() => firstAttempts.delete(source));
        }
        return fetched;
      };
      missing = anyOf(sources.map(fetch));
      if (intervalMs !== undefined) for (const source of sources) source.startPeriodic(intervalMs);
    },
    async fetchMissing() {
      missing ??= anyOf(sources.map(fetchIfMissing));
      const fetched = await missing;
      await told;
      return fetched;
    },
    async refresh() {
      const refreshed = await Promise.all(
        sources.map((source) => refreshOne(source, firstAttempts.get(source))),
      );
      await told;
      return refreshed;
    },
    states: () =>
      sources.map((source) => ({ ...source.state(), name: source.name, url: source.url, branch })),
    onUpdate(listener) {
      for (const source of sources) {
        source.onUpdate((update) => {
          told = Promise.all([told, listener(update)]);
          // Whoever waits for the content learns of it.
          told.catch(() => {});
        });
      }
    },
    async close() {
      await Promise.all(sources.map((source) => source.close()));
    },
  };
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

/** Nobody asked for the fetch of the start, so whoever asks while it runs is not turned away but waits for it. */
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
