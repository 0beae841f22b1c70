import { SyncFailure } from "../sync-failure.ts";
import { type GitEnvironmentOptions, localEnvironment, networkEnvironment } from "./git-environment.ts";
import type { GitLimits } from "./git-limits.ts";
import type { RepoAddress } from "./repo-address.ts";
import type { GitRunner } from "./run-git.ts";

/** Git for one repository, with everything that guards us set. */
export interface GitCommands {
  readonly repo: RepoAddress;
  readonly branch: string;
  /** Refuses a git that would ignore the guards. Asked once. */
  checkVersion(): Promise<void>;
  /** The commit that the branch points to on the remote. */
  remoteCommit(): Promise<string>;
  network(args: readonly string[], options: NetworkOptions): Promise<Buffer>;
  local(args: readonly string[], options: LocalOptions): Promise<Buffer>;
  /** Throws once the source is closed. */
  requireOpen(): void;
  /** Ends the running command with this failure. */
  stop(reason: SyncFailure): void;
}

interface NetworkOptions {
  /** The repository to work on; without one, the command works on none. */
  readonly folder?: string;
  readonly timeoutMs: number;
  readonly onProgress?: (text: string) => void;
}

interface LocalOptions {
  readonly folder: string;
  readonly index?: string;
  readonly work?: string;
  readonly input?: Uint8Array;
  readonly onOutput?: (chunk: Buffer) => void;
}

export interface GitCommandsOptions extends Omit<GitEnvironmentOptions, "sshCommand" | "lowSpeedSeconds"> {
  readonly branch: string;
  readonly runner: GitRunner;
  readonly limits: GitLimits;
  /** A folder that is there and is no repository. */
  readonly home: string;
}

/** GIT_CONFIG_COUNT, which carries the guards and the token, came with 2.31. */
const OLDEST: readonly [number, number] = [2, 31];

export function createGitCommands(options: GitCommandsOptions): GitCommands {
  const { repo, branch, runner, limits, home } = options;
  let version: Promise<void> | undefined;
  let sshCommand: string | undefined;

  const environmentOptions = (): GitEnvironmentOptions => ({
    ...options,
    lowSpeedSeconds: limits.lowSpeedSeconds,
    sshCommand,
  });

  async function checkVersion(): Promise<void> {
    const environment = localEnvironment(environmentOptions());
    const text = (
      await runner.run({ args: ["version"], environment, cwd: home, timeoutMs: limits.localMs })
    ).toString();
    const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(text) ?? [];
    if (Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1])) {
      throw new SyncFailure("git-too-old", `git is version ${major}.${minor}; install 2.31 or newer.`);
    }
    await runner.run({
      args: ["check-ref-format", "--branch", branch],
      environment,
      cwd: home,
      timeoutMs: limits.localMs,
    });
    if (repo.transport === "ssh") sshCommand = await ownSshCommand();
  }

  /** GIT_SSH_COMMAND, which we set, would hide what the operator's settings say. */
  async function ownSshCommand(): Promise<string | undefined> {
    const { GIT_SSH_COMMAND: _ours, ...environment } = networkEnvironment(environmentOptions());
    const args = ["config", "--get", "core.sshCommand"];
    const answer = await runner
      .run({ args, environment, cwd: home, timeoutMs: limits.localMs })
      .catch(() => undefined);
    return answer?.toString().trim() || undefined;
  }

  const network: GitCommands["network"] = (args, { folder, timeoutMs, onProgress }) =>
    runner.run({
      args,
      environment: {
        ...networkEnvironment(environmentOptions()),
        ...(folder === undefined ? {} : { GIT_DIR: folder }),
      },
      cwd: home,
      timeoutMs,
      ...(onProgress === undefined ? {} : { onProgress }),
    });

  return {
    repo,
    branch,
    network,
    checkVersion() {
      version ??= checkVersion();
      const asked = version;
      return asked.catch((error: unknown) => {
        if (version === asked) version = undefined;
        throw error;
      });
    },
    async remoteCommit() {
      const ref = `refs/heads/${branch}`;
      const args = ["ls-remote", "--symref", "--", repo.url, "HEAD", ref];
      return commitIn((await network(args, { timeoutMs: limits.listMs })).toString(), repo.url, branch);
    },
    local: (args, { folder, index, work, input, onOutput }) =>
      runner.run({
        args,
        environment: {
          ...localEnvironment(environmentOptions()),
          GIT_DIR: folder,
          ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
          ...(work === undefined ? {} : { GIT_WORK_TREE: work }),
        },
        cwd: work ?? home,
        timeoutMs: limits.localMs,
        ...(input === undefined ? {} : { input }),
        ...(onOutput === undefined ? {} : { onOutput }),
      }),
    requireOpen: runner.requireOpen,
    stop: runner.stop,
  };
}

/** Reads `ls-remote --symref <url> HEAD refs/heads/<branch>`. Patterns match the ends of names, so names are compared. */
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
      : `its main branch is '${other}', so set SKILLS_BRANCH=${other} if that is meant`;
  throw new SyncFailure("no-branch", `The branch '${branch}' is not on ${url}; ${way}.`);
}
