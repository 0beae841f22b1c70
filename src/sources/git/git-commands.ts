import { SyncFailure } from "../sync-failure.ts";
import { type GitEnvironmentOptions, localEnvironment, networkEnvironment } from "./git-environment.ts";
import type { GitLimits } from "./git-limits.ts";
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

export interface GitCommandsOptions extends Omit<GitEnvironmentOptions, "sshCommand" | "lowSpeedSeconds"> {
  readonly branch: string;
  readonly runner: GitRunner;
  readonly limits: GitLimits;
  /** An existing folder that is not a repository. */
  readonly home: string;
}

/** GIT_CONFIG_COUNT, which carries the guards and the token, was added in 2.31. */
const OLDEST: readonly [number, number] = [2, 31];

export type GitCommands = ReturnType<typeof createGitCommands>;

/** Git for one repository, with every guard set. */
export function createGitCommands(options: GitCommandsOptions) {
  const { repo, branch, runner, limits, home } = options;
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
    /** The commit that the branch points to on the remote. */
    async remoteCommit(): Promise<string> {
      const args = ["ls-remote", "--symref", "--", repo.url, "HEAD", `refs/heads/${branch}`];
      return commitIn((await network(args, { timeoutMs: limits.listMs })).toString(), repo.url, branch);
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
    requireOpen: runner.requireOpen,
    stop: runner.stop,
  };
}

/** Checks git's version and the branch name. Returns the operator's own ssh command, if there is one. */
async function checkGit(
  { repo, branch, runner, limits, home }: GitCommandsOptions,
  settings: GitEnvironmentOptions,
): Promise<string | undefined> {
  const run = (args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Buffer> =>
    runner.run({ args, environment, cwd: home, timeoutMs: limits.localMs });
  const local = localEnvironment(settings);
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec((await run(["version"], local)).toString()) ?? [];
  if (Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]))
    throw new SyncFailure("git-too-old", `git is version ${major}.${minor}; install 2.31 or newer.`);
  await run(["check-ref-format", "--branch", branch], local);
  if (repo.transport !== "ssh") return undefined;
  // Our own GIT_SSH_COMMAND would override what the operator's settings say.
  const { GIT_SSH_COMMAND: _ours, ...environment } = networkEnvironment(settings);
  const own = await run(["config", "--get", "core.sshCommand"], environment).catch(() => undefined);
  return own?.toString().trim() || undefined;
}

/** Parses `ls-remote --symref <url> HEAD refs/heads/<branch>`. Patterns match the ends of names, so names are compared. */
function commitIn(listing: string, url: string, branch: string): string {
  let other: string | undefined;
  for (const line of listing.split("\n")) {
    const [value = "", name] = line.split("\t");
    if (name === `refs/heads/${branch}` && /^[0-9a-f]{40,64}$/.test(value)) return value;
    const symref = /^ref: refs\/heads\/(.+)$/.exec(value);
    if (name === "HEAD" && symref !== null) other = symref[1];
  }
  const way =
    other === undefined
      ? "the repository may be empty; check SKILLS_BRANCH"
      : `its default branch is '${other}'; set SKILLS_BRANCH=${other} to use it`;
  throw new SyncFailure("no-branch", `${url} has no branch '${branch}'; ${way}.`);
}
