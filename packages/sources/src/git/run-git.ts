import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { signalGroup, spawnGroup } from "#util";
import { SyncFailure } from "../sync-failure.ts";
import { explainGit } from "./explain-failure.ts";

export interface GitCommand {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly input?: Uint8Array | undefined;
  /** Gets the output as it comes; an error it throws ends the command. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface GitRunnerOptions {
  /** The address, as messages show it. */
  readonly shown: string;
  /** Where the token that is sent is from; undefined: none is sent. */
  readonly tokenFrom: string | undefined;
  readonly redact: (text: string) => string;
  readonly onSpawn?: (pid: number) => void;
}

const LONGEST_STDERR = 16 * 1024;
const LONGEST_OUTPUT = 128 * 1024 * 1024;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 300;
const CLOSED = "The sync was ended because the server is shutting down.";

export type GitRunner = ReturnType<typeof createGitRunner>;

export function createGitRunner({ shown, tokenFrom, redact, onSpawn }: GitRunnerOptions) {
  const running = new Map<(why: SyncFailure) => void, Promise<unknown>>();
  let closed = false;

  /** For work between two commands. */
  function requireOpen(): void {
    if (closed) throw new SyncFailure("closed", CLOSED);
  }

  const stopAll = (reason: SyncFailure): void => {
    for (const stop of running.keys()) stop(reason);
  };

  /** Runs git to its end and returns its output, or throws a `SyncFailure`. */
  async function run(command: GitCommand): Promise<Buffer> {
    requireOpen();
    const { args, cwd, timeoutMs } = command;
    const child = spawnGroup("git", args, { cwd, env: command.environment, stdio: ["pipe", "pipe", "pipe"] });
    if (child.pid !== undefined) onSpawn?.(child.pid);
    const stopper = createStopper(child);
    const name = args.find((arg) => !arg.startsWith("-")) ?? "";
    const seconds = Math.round(timeoutMs / 1000);
    const tooSlow = new SyncFailure("time-out", `'git ${name}' for ${shown} took longer than ${seconds} s.`);
    const timer = setTimeout(() => stopper.stop(tooSlow), timeoutMs);
    const output = collectOutput(child, command, stopper.stop, shown);
    const ended = endOf(child);
    running.set(stopper.stop, ended);
    try {
      const status = await ended.catch((error: NodeJS.ErrnoException) => {
        throw spawnFailure(error, cwd, redact);
      });
      if (stopper.reason() !== undefined) throw stopper.reason();
      if (status !== "") throw explainGit({ command: name, shown, tokenFrom }, status, output.stderr(redact));
      return output.stdout();
    } finally {
      clearTimeout(timer);
      stopper.done();
      running.delete(stopper.stop);
    }
  }

  return {
    run,
    requireOpen,
    /** Ends the running commands; they fail with this reason. */
    stop: stopAll,
    /** Ends every running git, and everything it started. */
    async close(): Promise<void> {
      closed = true;
      const ends = [...running.values()].map((end) => end.catch(() => {}));
      stopAll(new SyncFailure("closed", CLOSED));
      await Promise.all(ends);
    },
  };
}

/** Ends a git and everything it started: SIGTERM first, then SIGKILL. */
function createStopper(child: ChildProcess) {
  let reason: unknown;
  let timer: NodeJS.Timeout | undefined;
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) signalGroup(child.pid, name);
  };
  return {
    reason: () => reason,
    stop(why: unknown): void {
      if (reason !== undefined) return;
      reason = why;
      signal("SIGTERM");
      timer = setTimeout(() => signal("SIGKILL"), GRACE_MS);
    },
    done: () => clearTimeout(timer),
  };
}

function collectOutput(
  child: ChildProcess,
  { input, onOutput, onProgress }: GitCommand,
  stop: (why: unknown) => void,
  shown: string,
) {
  const chunks: Buffer[] = [];
  let length = 0;
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    length += chunk.length;
    try {
      if (length > LONGEST_OUTPUT)
        throw new SyncFailure("too-large", `The file list of ${shown} is too long.`);
      onOutput?.(chunk);
      chunks.push(chunk);
    } catch (error) {
      stop(error);
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-LONGEST_STDERR);
    onProgress?.(text);
  });
  // Git may end before it has read everything; its exit status says why.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input ?? "");
  return {
    stdout: (): Buffer => Buffer.concat(chunks),
    stderr: (redact: (line: string) => string): string =>
      stderr
        .split(/[\r\n]+/)
        .map(redact)
        .join("\n"),
  };
}

/** Resolves to "" for success, else to how it ended. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, name) =>
      resolve(code === 0 ? "" : name === null ? `exit ${code}` : `ended by ${name}`),
    );
  });
}

function spawnFailure(
  error: NodeJS.ErrnoException,
  cwd: string,
  redact: (text: string) => string,
): SyncFailure {
  // ENOENT also means that the working folder does not exist.
  if (error.code === "ENOENT" && existsSync(cwd)) {
    return new SyncFailure(
      "git-missing",
      "git was not found in PATH; install git 2.31 or newer (https://git-scm.com), then try again.",
    );
  }
  return new SyncFailure("git-failed", `git could not be started in ${cwd}: ${redact(error.message)}.`, {
    cause: error,
  });
}
