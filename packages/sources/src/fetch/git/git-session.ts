import { platform } from "#util";
import { gitTokenFor } from "../../credentials/git-token.ts";
import { createGitCommands, type GitCommands } from "../../git/git-commands.ts";
import { GIT_LIMITS, type GitLimits } from "../../git/git-limits.ts";
import { createRedactor } from "../../git/redact.ts";
import type { RepoAddress } from "../../git/repo-address.ts";
import { createGitRunner } from "../../git/run-git.ts";
import { SyncFailure } from "../../sync-failure.ts";
import type { FetchContext } from "../fetch-context.ts";
import { REPOSITORY_LIMITS } from "../limits.ts";

export const GIT_FETCH_LIMITS: GitLimits = { ...GIT_LIMITS, ...REPOSITORY_LIMITS };

/** Runs git for one repository, with every guard set; an abort ends it and everything that it started. */
export async function withGit<T>(
  repo: RepoAddress,
  work: string,
  context: FetchContext,
  act: (git: GitCommands) => Promise<T>,
): Promise<T> {
  const { environment, signal, tokenFor } = context;
  signal?.throwIfAborted();
  const found = await gitTokenFor(repo, { tokenFor, environment, isOwn: false });
  const token = found?.token;
  const runner = createGitRunner({
    shown: repo.url,
    tokenFrom: found?.from,
    redact: createRedactor(token),
  });
  const git = createGitCommands({
    repo,
    // Only asked for by those who follow one branch.
    branch: "main",
    branchFrom: "default",
    token,
    environment,
    platform,
    ceiling: work,
    runner,
    limits: GIT_FETCH_LIMITS,
    home: work,
  });
  const close = (): void => void runner.close();
  signal?.addEventListener("abort", close);
  try {
    await git.checkVersion();
    return await act(git);
  } catch (error) {
    throw withoutSetting(error, repo);
  } finally {
    signal?.removeEventListener("abort", close);
  }
}

/** The setting that a served repository has is not what was used here. */
function withoutSetting(error: unknown, { url }: RepoAddress): unknown {
  if (!(error instanceof SyncFailure) || error.code !== "moved") return error;
  return new SyncFailure(
    "moved",
    `${url} redirects to another address, which is not followed; use the new address.`,
  );
}
