import path from "node:path";
import type { LibraryConfigFile } from "#config";
import type { LibraryRoot, RepoPlace, RootPlan } from "#skills";
import { type Log, type ObserveWork, UNOBSERVED } from "#util";
import { defined } from "#util/pure";
import { parseRepoLists, type RepoList, splitRepoList } from "../address/repo-list.ts";
import type { GitAddress } from "../address/source-address.ts";
import { gitTokenFor } from "../credentials/git-token.ts";
import { type FindToken, type HostToken } from "../credentials/host-tokens.ts";
import { originOf } from "../git/repo-address.ts";
import {
  type ContentUpdate,
  createGitSource,
  type GitSource,
  type GitState,
  type MayPoll,
} from "../git-source.ts";
import { createServedRepo, type ServedRepo } from "./served-repo.ts";

export { splitRepoList };

/** What names the operator's list in messages. */
export const OPERATOR_LIST = "SKILLS_REPO";

export interface GitLibrariesOptions {
  readonly repos: readonly RepoList[];
  /** The branch of addresses without one. Undefined: `main`, or the remote's default branch where it has no `main`. */
  readonly branch: string | undefined;
  readonly tokenFor: FindToken;
  /** True: commits without a signature that the operator's git accepts are not served. */
  readonly requireSigned?: boolean;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Called with each fetch. */
  readonly observe?: ObserveWork;
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

/** Where the skills of the repositories are at the moment of one scan. */
type RepoPlan = Required<Pick<RootPlan, "roots" | "awaited" | "diagnostics">>;

/** What comes from git: skills, plugins and libraries. */
export interface GitLibraries {
  /** Each address is a library of its own, as far as it holds one. */
  readonly roots: readonly LibraryRoot[];
  /** Called at the beginning of each scan, whose libraries are then of the same versions. */
  plan(): Promise<RepoPlan>;
  /** The settings that come with the content; none before the first fetch. */
  configFiles(): Promise<readonly LibraryConfigFile[]>;
  /** Fetches in the background: now, and then periodically, unless another process does it. */
  start(intervalMs: number | undefined, mayPoll?: MayPoll): void;
  /** Waits for the first fetch of each repository without content. Answers whether there was one. */
  fetchMissing(): Promise<boolean>;
  /** Fetches now. With `wait`, a fetch that is running is followed by another one; otherwise that is refused. */
  refresh(options?: { readonly wait?: boolean }): Promise<readonly RepoRefresh[]>;
  states(): readonly RepoState[];
  /** The place in a repository that a file on the disk is; undefined for any other file. */
  repoAt(file: string): RepoPlace | undefined;
  /**
   * Sets what new content leads to: first its settings are loaded, then its skills are read, one update at a time. A
   * refresh answers once both are done, and fails if one of them does.
   */
  onUpdate(stage: "settings" | "skills", apply: ApplyUpdate): void;
  close(): Promise<void>;
}

export async function createGitLibraries(options: GitLibrariesOptions): Promise<GitLibraries> {
  const { sources, repos } = await openRepos(options);
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
    roots: libraryRootsOf(repos.filter(({ isForeign }) => !isForeign)),
    plan: () => planOf(repos),
    configFiles: () => configFilesOf(repos.filter(({ isForeign }) => !isForeign)),
    start(intervalMs, mayPoll) {
      missing = anyOf(sources.map(firstFetch));
      if (intervalMs !== undefined) for (const source of sources) source.startPeriodic(intervalMs, mayPoll);
    },
    async fetchMissing() {
      missing ??= anyOf(sources.map(fetchIfMissing));
      const fetched = await missing;
      await updates.settled();
      return fetched;
    },
    async refresh({ wait = false } = {}) {
      const refreshed = await Promise.all(
        sources.map((source) => refreshOne(source, wait, firstAttempts.get(source))),
      );
      await updates.settled();
      return refreshed;
    },
    states: () => sources.map(({ state, name, url, branch }) => ({ ...state(), name, url, branch })),
    repoAt: (file) => sources.map((source) => source.placeOf(file)).find((place) => place !== undefined),
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

/** Two addresses may name one repository, such as two folders of it: it is fetched once. */
async function openRepos(options: GitLibrariesOptions) {
  const { branch: usual, requireSigned = false, ownFolder, environment, observe = UNOBSERVED, log } = options;
  const contentFolder = path.join(ownFolder, "content");
  const addresses = parseRepoLists(options.repos);
  const tokens = await findTokens(addresses, options);
  const sources = new Map<string, GitSource>();
  const repos = addresses.map((address): ServedRepo => {
    const { repo, ref } = address;
    const branch = ref ?? usual ?? "main";
    const branchFrom = ref !== undefined ? "address" : usual === undefined ? "default" : "SKILLS_BRANCH";
    const key = `${repo.url}\n${branch}`;
    const known = sources.get(key);
    const settings = { requireSigned, contentFolder, environment, observe, log, now: Date.now };
    const found = tokens.get(address);
    const tokenFrom = defined({ tokenFrom: found?.from });
    const source =
      known ?? createGitSource({ repo, branch, branchFrom, token: found?.token, ...tokenFrom, ...settings });
    sources.set(key, source);
    return createServedRepo(address, source, log);
  });
  return { sources: [...sources.values()], repos };
}

/** Each host gets its own token. GITHUB_TOKEN goes to this machine only if the operator names it in SKILLS_REPO. */
async function findTokens(
  addresses: readonly GitAddress[],
  { repos, tokenFor, environment }: GitLibrariesOptions,
): Promise<ReadonlyMap<GitAddress, HostToken | undefined>> {
  const ofOperator = parseRepoLists(repos.filter(({ use }) => use === OPERATOR_LIST));
  const own = new Set(ofOperator.map(({ repo }) => originOf(repo)));
  const found = new Map<GitAddress, HostToken | undefined>();
  for (const address of addresses) {
    const { repo } = address;
    const isOwn = own.has(originOf(repo));
    found.set(address, await gitTokenFor(repo, { tokenFor, environment, isOwn }));
  }
  return found;
}

function libraryRootsOf(repos: readonly ServedRepo[]): readonly LibraryRoot[] {
  return repos.map(({ name, source, library }) => ({
    dir: source.pointer,
    locate: library,
    location: "user",
    // A single repository is the library; several get one prefix each.
    prefix: repos.length === 1 ? "" : name,
    named: false,
    repo: source.url,
  }));
}

async function planOf(repos: readonly ServedRepo[]): Promise<RepoPlan> {
  const contents = await Promise.all(repos.map((repo) => repo.plan()));
  return {
    roots: contents.flatMap((each) => each?.roots ?? []),
    awaited: repos.map(({ source }) => source.pointer),
    diagnostics: contents.flatMap((each) => each?.diagnostics ?? []),
  };
}

/** A `config.yaml` is ours in a library, and in a repository that holds nothing else. */
async function configFilesOf(repos: readonly ServedRepo[]): Promise<readonly LibraryConfigFile[]> {
  const files = await Promise.all(
    repos.map(async ({ source, contents }) => {
      const [folder, found] = await Promise.all([source.current(), contents()]);
      const isOurs = found !== undefined && (found.library !== undefined || !found.hasSkills);
      return folder === undefined || !isOurs ? [] : [path.join(folder, "skills"), folder];
    }),
  );
  return [...new Set(files.flat())].map((folder) => ({
    file: path.join(folder, "config.yaml"),
    fromGit: true,
  }));
}

async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  return (await Promise.all(answers)).includes(true);
}

async function fetchIfMissing(source: GitSource): Promise<boolean> {
  if ((await source.current()) !== undefined) return false;
  await source.refresh();
  return true;
}

/** A refresh that is requested during the first fetch waits for it instead of being refused. */
async function refreshOne(
  source: GitSource,
  wait: boolean,
  firstAttempt: ReturnType<GitSource["refresh"]> | undefined,
): Promise<RepoRefresh> {
  const first = await firstAttempt;
  const isAnswer = !wait && (first?.success === false || first?.changed === true);
  const result = isAnswer ? first : await source.refresh({ wait });
  const { commitHash, lastSync } = result;
  const failingSince = result.success ? undefined : result.failingSince;
  return {
    repository: source.name,
    success: result.success,
    ...defined({ commit_hash: commitHash }),
    ...(result.success ? { files_changed: result.filesChanged } : { message: result.message }),
    ...defined({ last_sync: lastSync, failing_since: failingSince }),
  };
}
