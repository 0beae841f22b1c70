import type { Snapshot } from "#skills";
import type { Usage } from "#usage";
import { defined } from "#util/pure";
import type { GitLibraries, RepoRefresh } from "./git-libraries.ts";
import type { SeesRepo } from "./seen-repos.ts";

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

export type Refresher = (request: RefreshRequest) => Promise<RefreshAnswer>;

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
      const answer = isLocal ? localAnswer(count) : gitAnswer(repositories, count);
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

function localAnswer(count: number): RefreshAnswer {
  return {
    success: true,
    mode: "local",
    skills_reindexed: count,
    message: "Reindexed from local directory (no git sync configured).",
  };
}

function gitAnswer(repositories: readonly RepoRefresh[], count: number): RefreshAnswer {
  const [only, another] = repositories;
  if (only !== undefined && another === undefined) {
    const { repository: _name, success, commit_hash, files_changed, ...rest } = only;
    return {
      success,
      ...defined({ commit_hash, files_changed }),
      skills_reindexed: count,
      ...rest,
    };
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
