import { createGitCommands, type GitCommands } from "../../git/git-commands.ts";
import { usesToken } from "../../git/git-environment.ts";
import { GIT_LIMITS, type GitLimits } from "../../git/git-limits.ts";
import { createRedactor } from "../../git/redact.ts";
import { originOf, type RepoAddress } from "../../git/repo-address.ts";
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
  const { environment, signal } = context;
  signal?.throwIfAborted();
  const token = tokenFor(repo, environment);
  const runner = createGitRunner({
    shown: repo.url,
    hasToken: usesToken(repo, token),
    redact: createRedactor(token),
  });
  const git = createGitCommands({
    repo,
    // Only asked for by those who follow one branch.
    branch: "main",
    branchFrom: "default",
    token,
    environment,
    platform: process.platform,
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

/**
 * The token is for GitHub, so no other host gets it, whatever the address. GitHub's own runners name the
 * server of an enterprise in GITHUB_SERVER_URL.
 */
function tokenFor(repo: RepoAddress, environment: NodeJS.ProcessEnv): string | undefined {
  const token = environment["GITHUB_TOKEN"]?.trim();
  const server = environment["GITHUB_SERVER_URL"] ?? "";
  const origins = ["https://github.com", URL.canParse(server) ? new URL(server).origin : ""];
  const origin = originOf(repo);
  return token !== undefined && token !== "" && origin !== undefined && origins.includes(origin)
    ? token
    : undefined;
}

/** The setting that a served repository has is not what was used here. */
function withoutSetting(error: unknown, { url }: RepoAddress): unknown {
  if (!(error instanceof SyncFailure) || error.code !== "moved") return error;
  return new SyncFailure(
    "moved",
    `${url} redirects to another address, which is not followed; use the new address.`,
  );
}
