import { lookUp, type Snapshot } from "#skills";
import type { Usage } from "#usage";
import { defined } from "#util/pure";
import type { GitLibraries, RepoRefresh } from "./git-libraries.ts";

/** Whether a caller who sees a snapshot may learn of a repository, by its address. */
type SeesRepo = (snapshot: Snapshot, url: string) => boolean;

export const SEES_EVERY_REPO: SeesRepo = () => true;

/** For callers who do not see everything: they learn only of the repositories of what they see. */
export function seesItsRepos(git: Pick<GitLibraries, "repoAt"> | undefined): SeesRepo {
  return ({ catalog, library }, url) =>
    catalog.entries.some(({ skill }) => skill.repo?.url === url) ||
    [...library.skills.values()].some(({ file, repo }) => (repo ?? git?.repoAt(file))?.url === url);
}

interface SettledDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly git: Pick<GitLibraries, "fetchMissing"> | undefined;
}

/** Waits for the first clone of each repository: until it has ended, what the repository holds is unknown. */
export function createSettledSnapshot({ snapshot, refresh, git }: SettledDeps) {
  let fetched: Promise<unknown> | undefined;
  const settled = async (): Promise<Snapshot> => {
    if (git === undefined) return snapshot();
    fetched ??= git.fetchMissing().then((waited) => (waited ? refresh() : undefined));
    await fetched.catch((error: unknown) => {
      // The next caller tries again.
      fetched = undefined;
      throw error;
    });
    return snapshot();
  };
  return {
    settled,
    /** A snapshot with a skill of this name, if there is one. It waits only if no skill has the name yet. */
    async with(name: string): Promise<Snapshot> {
      const current = await snapshot();
      return lookUp(current.catalog.names, name.trim()).kind === "unknown" ? settled() : current;
    },
  };
}

type RefreshAnswer = Omit<RepoRefresh, "repository"> & {
  readonly mode?: "local";
  readonly skills_reindexed?: number;
  /** The result of each of several repositories. */
  readonly repositories?: readonly RepoRefresh[];
};

/** Who wants a refresh. */
interface RefreshRequest {
  /** Reads the library again, as they see it. */
  readonly refresh: () => Promise<Snapshot>;
  readonly seesRepo: SeesRepo;
  readonly usage: Pick<Usage, "record">;
  /** Called at the start of each step. */
  readonly onStep?: (message: string) => void;
}

type Refresher = (request: RefreshRequest) => Promise<RefreshAnswer>;

/** Refreshes the library on request. While one refresh is running, another is refused at once. */
export function createRefresher(git: Pick<GitLibraries, "refresh" | "states"> | undefined): Refresher {
  let running = false;
  return async ({ refresh, seesRepo, usage, onStep = () => {} }) => {
    if (running) return { success: false, message: "A refresh is already running." };
    running = true;
    try {
      if (git !== undefined) onStep("Fetching from git.");
      const fetched = await git?.refresh();
      onStep("Reading the library.");
      const snapshot = await refresh();
      const urls = new Map(git?.states().map(({ name, url }) => [name, url]));
      const repositories = fetched?.filter(({ repository }) =>
        seesRepo(snapshot, urls.get(repository) ?? ""),
      );
      const count = snapshot.library.skills.size;
      const isLocal = repositories === undefined || repositories.length === 0;
      const answer = isLocal ? { ...LOCAL_ANSWER, skills_reindexed: count } : gitAnswer(repositories, count);
      usage.record("refresh", {
        mode: git === undefined ? "local" : "git",
        success: answer.success,
        ...defined({ commit_hash: answer.commit_hash, files_changed: answer.files_changed }),
        skills_reindexed: count,
      });
      return answer;
    } finally {
      running = false;
    }
  };
}

const LOCAL_ANSWER: RefreshAnswer = {
  success: true,
  mode: "local",
  skills_reindexed: 0,
  message: "Reindexed from local directory (no git sync configured).",
};

function gitAnswer(repositories: readonly RepoRefresh[], count: number): RefreshAnswer {
  const [only, another] = repositories;
  if (only !== undefined && another === undefined) {
    const { repository: _name, success, commit_hash, files_changed, ...rest } = only;
    return { success, ...defined({ commit_hash, files_changed }), skills_reindexed: count, ...rest };
  }
  const failed = repositories.filter((repository) => !repository.success);
  return {
    success: failed.length === 0,
    files_changed: repositories.reduce((sum, { files_changed = 0 }) => sum + files_changed, 0),
    skills_reindexed: count,
    repositories,
    ...(failed.length === 0
      ? {}
      : { message: `Not up to date: ${failed.map(({ repository }) => repository).join(", ")}.` }),
  };
}
