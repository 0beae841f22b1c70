import { SyncFailure } from "../sync-failure.ts";
import {
  type GitEnvironmentOptions,
  localEnvironment,
  networkEnvironment,
  verifyEnvironment,
} from "./git-environment.ts";
import type { GitLimits } from "./git-limits.ts";
import { isFullCommit, parseRemoteRefs, type ResolvedRef, resolveRef } from "./remote-refs.ts";
import type { GitCommand, GitRunner } from "./run-git.ts";

interface NetworkOptions extends Pick<GitCommand, "timeoutMs" | "onProgress"> {
  /** The repository to work on, if the command needs one. */
  readonly folder?: string;
}

interface LocalOptions extends Pick<GitCommand, "input" | "onOutput"> {
  readonly folder: string;
  readonly index?: string;
  readonly work?: string;
}

/** What a repository's branch, tag or commit is at this moment. */
export interface RemoteRef extends ResolvedRef {
  /** The default branch, where it is used because the usual one does not exist. */
  readonly instead?: string;
}

export interface GitCommandsOptions extends Omit<GitEnvironmentOptions, "sshCommand" | "lowSpeedSeconds"> {
  /** A branch, a tag or a commit; `parseBranch` has checked it. */
  readonly branch: string;
  /** Where the branch comes from; `default`: none was named. */
  readonly branchFrom: BranchFrom;
  readonly runner: GitRunner;
  readonly limits: GitLimits;
  /** An existing folder that is not a repository. */
  readonly home: string;
}

export type BranchFrom = "SKILLS_BRANCH" | "address" | "default";

/** GIT_CONFIG_COUNT, which carries the guards and the token, was added in 2.31. */
const OLDEST: readonly [number, number] = [2, 31];

export type GitCommands = ReturnType<typeof createGitCommands>;

/** Git for one repository, with every guard set. */
export function createGitCommands(options: GitCommandsOptions) {
  const { repo, branch, branchFrom, runner, limits, home } = options;
  let checked: Promise<string | undefined> | undefined;
  let sshCommand: string | undefined;
  const settings = (): GitEnvironmentOptions => {
    return { ...options, lowSpeedSeconds: limits.lowSpeedSeconds, sshCommand };
  };
  const network = (args: readonly string[], { folder, ...rest }: NetworkOptions): Promise<Buffer> =>
    runner.run({
      args,
      environment: { ...networkEnvironment(settings()), GIT_DIR: folder },
      cwd: home,
      ...rest,
    });

  return {
    repo,
    branch,
    network,
    /** Refuses a git that would ignore the guards. Runs once. */
    async checkVersion(): Promise<void> {
      checked ??= checkGit(options, settings());
      try {
        sshCommand = await checked;
      } catch (error) {
        checked = undefined;
        throw error;
      }
    },
    /**
     * What the branch, tag or commit is on the remote. A commit never changes, so the remote is not asked about it. `orDefault`: the
     * remote's default branch will do.
     */
    async remoteRef({ orDefault }: { readonly orDefault: boolean }): Promise<RemoteRef> {
      const lower = branch.toLowerCase();
      if (isFullCommit(lower)) return { commit: lower, ref: lower };
      const names = ["HEAD", `refs/heads/${branch}`, `refs/tags/${branch}`, `refs/tags/${branch}^{}`];
      const args = ["ls-remote", "--symref", "--", repo.url, ...names];
      const listing = (await network(args, { timeoutMs: limits.listMs })).toString();
      return refIn(listing, { url: repo.url, branch, branchFrom, orDefault });
    },
    local: (args: readonly string[], { folder, index, work, ...rest }: LocalOptions): Promise<Buffer> =>
      runner.run({
        args,
        environment: {
          ...localEnvironment(settings()),
          GIT_DIR: folder,
          GIT_INDEX_FILE: index,
          GIT_WORK_TREE: work,
        },
        cwd: work ?? home,
        timeoutMs: limits.localMs,
        ...rest,
      }),
    /** Checks the signature of a commit by the operator's own settings of git. */
    verifyCommit: (commit: string, folder: string) => verifyCommit(options, settings(), commit, folder),
    requireOpen: runner.requireOpen,
    stop: runner.stop,
  };
}

/** Checks git's version. Returns the operator's own ssh command, if there is one. */
async function checkGit(
  { repo, runner, limits, home }: GitCommandsOptions,
  settings: GitEnvironmentOptions,
): Promise<string | undefined> {
  const run = (args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Buffer> =>
    runner.run({ args, environment, cwd: home, timeoutMs: limits.localMs });
  const version = (await run(["version"], localEnvironment(settings))).toString();
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]))
    throw new SyncFailure("git-too-old", `git is version ${major}.${minor}; install 2.31 or newer.`);
  if (repo.transport !== "ssh") return undefined;
  // Our own GIT_SSH_COMMAND would override what the operator's settings say.
  const { GIT_SSH_COMMAND: _ours, ...environment } = networkEnvironment(settings);
  const own = await run(["config", "--get", "core.sshCommand"], environment).catch(() => undefined);
  return own?.toString().trim() || undefined;
}

async function verifyCommit(
  { runner, home, limits }: GitCommandsOptions,
  settings: GitEnvironmentOptions,
  commit: string,
  folder: string,
): Promise<void> {
  const environment = { ...verifyEnvironment(settings), GIT_DIR: folder };
  try {
    await runner.run({ args: ["verify-commit", commit], environment, cwd: home, timeoutMs: limits.localMs });
  } catch (error) {
    throw notSigned(commit, error);
  }
}

/** What says nothing about a signature stays as it is. */
const NOT_ABOUT_SIGNATURES: ReadonlySet<string> = new Set(["closed", "time-out", "git-missing", "disk-full"]);

function notSigned(commit: string, error: unknown): unknown {
  if (!(error instanceof SyncFailure) || NOT_ABOUT_SIGNATURES.has(error.code)) return error;
  return new SyncFailure(
    "not-signed",
    `The commit ${commit.slice(0, 12)} has no signature that git accepts, and SKILLS_REQUIRE_SIGNED requires one; ` +
      "sign the commit, or add the key of its signer to gpg.ssh.allowedSignersFile of git.",
    { cause: error },
  );
}

interface WantedRef {
  readonly url: string;
  readonly branch: string;
  readonly branchFrom: BranchFrom;
}

function refIn(listing: string, wanted: WantedRef & { readonly orDefault: boolean }): RemoteRef {
  const refs = parseRemoteRefs(listing);
  const { head, defaultBranch } = refs;
  const found = resolveRef(refs, wanted.branch);
  if (found !== undefined) return found;
  if (!wanted.orDefault || defaultBranch === undefined || head === undefined)
    throw noBranch(wanted, defaultBranch);
  return { commit: head, ref: `refs/heads/${defaultBranch}`, instead: defaultBranch };
}

function noBranch({ url, branch, branchFrom }: WantedRef, usual: string | undefined): SyncFailure {
  if (branchFrom === "address") {
    const known = usual === undefined ? "the repository may be empty" : `its default branch is '${usual}'`;
    const commit = /^[0-9a-f]{7,39}$/i.test(branch) ? "; a commit needs all of its 40 characters" : "";
    return new SyncFailure("no-branch", `${url} has no branch or tag '${branch}'; ${known}${commit}.`);
  }
  const way =
    usual === undefined
      ? "the repository may be empty; check SKILLS_BRANCH"
      : `its default branch is '${usual}'; set SKILLS_BRANCH=${usual} to use it`;
  return new SyncFailure("no-branch", `${url} has no branch '${branch}'; ${way}.`);
}
