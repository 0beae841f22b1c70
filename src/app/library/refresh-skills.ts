import type { Snapshot } from "../../registry/registry.ts";
import type { Usage } from "../../usage/create-usage.ts";
import type { GitLibraries, RepoRefresh } from "./git-libraries.ts";

interface RefreshAnswer {
  readonly success: boolean;
  readonly mode?: "local";
  readonly commit_hash?: string;
  readonly files_changed?: number;
  readonly skills_reindexed?: number;
  readonly last_sync?: string;
  readonly failing_since?: string;
  readonly message?: string;
  /** What each of several repositories came to. */
  readonly repositories?: readonly RepoRefresh[];
}

export interface RefreshDeps {
  readonly refresh: () => Promise<Snapshot>;
  readonly git: Pick<GitLibraries, "refresh"> | undefined;
  readonly usage: Pick<Usage, "record">;
}

/** Tells each step that it begins. */
export type RefreshSkills = (onStep?: (message: string) => void) => Promise<RefreshAnswer>;

/** Brings the library up to date when asked. While one attempt is running, a second is turned away at once. */
export function createRefresher({ refresh, git, usage }: RefreshDeps): RefreshSkills {
  let running = false;
  return async (onStep = () => {}) => {
    if (running) return { success: false, message: "A refresh is already running." };
    running = true;
    try {
      if (git !== undefined) onStep("Fetching from git.");
      const repositories = await git?.refresh();
      onStep("Reading the library.");
      const count = (await refresh()).library.skills.size;
      const answer = repositories === undefined ? localAnswer(count) : gitAnswer(repositories, count);
      usage.record("refresh", {
        mode: git === undefined ? "local" : "git",
        success: answer.success,
        ...(answer.commit_hash === undefined ? {} : { commit_hash: answer.commit_hash }),
        ...(answer.files_changed === undefined ? {} : { files_changed: answer.files_changed }),
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
    const {
      repository: _name,
      success,
      commit_hash,
      files_changed,
      last_sync,
      failing_since,
      message,
    } = only;
    return {
      success,
      ...(commit_hash === undefined ? {} : { commit_hash }),
      ...(files_changed === undefined ? {} : { files_changed }),
      skills_reindexed: count,
      ...(last_sync === undefined ? {} : { last_sync }),
      ...(failing_since === undefined ? {} : { failing_since }),
      ...(message === undefined ? {} : { message }),
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
