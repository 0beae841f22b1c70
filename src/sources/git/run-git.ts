import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { SyncFailure } from "../sync-failure.ts";
import { explainGit } from "./explain-failure.ts";

interface GitCommand {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly input?: Uint8Array;
  /** Sees the output as it comes; what it throws ends the command. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly onProgress?: (text: string) => void;
}

export interface GitRunner {
  /** Runs git to its end and returns what it wrote, or throws a `SyncFailure`. */
  run(command: GitCommand): Promise<Buffer>;
  /** Throws once it is closed, for work between two commands. */
  requireOpen(): void;
  /** Ends the running commands; they fail with this reason. */
  stop(reason: SyncFailure): void;
  /** Ends every running git, and all that it started. */
  close(): Promise<void>;
}

export interface GitRunnerOptions {
  /** The address, as messages show it. */
  readonly shown: string;
  /** A token goes along. */
  readonly hasToken: boolean;
  readonly redact: (text: string) => string;
  readonly onSpawn?: (pid: number) => void;
}

const KEPT_STDERR = 16 * 1024;
const MOST_OUTPUT = 128 * 1024 * 1024;
const POLITE_MS = 300;
const CLOSED = "The sync was ended because the server is shutting down.";

export function createGitRunner({ shown, hasToken, redact, onSpawn }: GitRunnerOptions): GitRunner {
  const running = new Map<(why: SyncFailure) => void, Promise<unknown>>();
  let closed = false;

  function requireOpen(): void {
    if (closed) throw new SyncFailure("closed", CLOSED);
  }

  async function run(command: GitCommand): Promise<Buffer> {
    requireOpen();
    const { args, timeoutMs } = command;
    const hasGroup = process.platform !== "win32";
    const child = spawn("git", args, {
      cwd: command.cwd,
      env: command.environment,
      stdio: ["pipe", "pipe", "pipe"],
      // A session of its own: one signal reaches the programs that git starts, and none of them finds a terminal to ask at.
      detached: hasGroup,
      windowsHide: true,
    });
    if (child.pid !== undefined) onSpawn?.(child.pid);

    let reason: unknown;
    let timer: NodeJS.Timeout | undefined;
    const signal = (name: NodeJS.Signals) => {
      try {
        if (hasGroup && child.pid !== undefined) process.kill(-child.pid, name);
        else child.kill(name);
      } catch {
        // It has ended by itself.
      }
    };
    const stop = (why: unknown) => {
      if (reason !== undefined) return;
      reason = why;
      signal("SIGTERM");
      clearTimeout(timer);
      timer = setTimeout(() => signal("SIGKILL"), POLITE_MS);
    };
    timer = setTimeout(
      () =>
        stop(
          new SyncFailure(
            "time-out",
            `'git ${nameOf(args)}' for ${shown} took longer than ${Math.round(timeoutMs / 1000)} s and was ended.`,
          ),
        ),
      timeoutMs,
    );

    const output: Buffer[] = [];
    let outputBytes = 0;
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      if (reason !== undefined) return;
      outputBytes += chunk.length;
      try {
        if (outputBytes > MOST_OUTPUT)
          throw new SyncFailure("too-large", `The list of files of ${shown} is too long.`);
        command.onOutput?.(chunk);
        output.push(chunk);
      } catch (error) {
        stop(error);
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-KEPT_STDERR);
      command.onProgress?.(text);
    });
    // Git may end before it has read everything; its exit says why.
    child.stdin.on("error", () => {});
    child.stdin.end(command.input ?? "");

    const ended = new Promise<string>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, name) =>
        resolve(code === 0 ? "" : name === null ? `exit ${code}` : `ended by ${name}`),
      );
    });
    running.set(stop, ended);
    try {
      const status = await ended.catch((error: NodeJS.ErrnoException) => {
        throw spawnFailure(error, command.cwd, redact);
      });
      if (reason !== undefined) throw reason;
      if (status !== "") {
        const asked = { command: nameOf(args), shown, hasToken };
        throw explainGit(asked, status, redactLines(stderr, redact));
      }
      return Buffer.concat(output);
    } finally {
      clearTimeout(timer);
      running.delete(stop);
    }
  }

  return {
    run,
    requireOpen,
    stop(reason) {
      for (const stop of running.keys()) stop(reason);
    },
    async close() {
      closed = true;
      const ends = [...running.values()].map((end) => end.catch(() => {}));
      for (const stop of running.keys()) stop(new SyncFailure("closed", CLOSED));
      await Promise.all(ends);
    },
  };
}

const nameOf = (args: readonly string[]): string => args.find((arg) => !arg.startsWith("-")) ?? "";

const redactLines = (text: string, redact: (line: string) => string): string =>
  text
    .split(/[\r\n]+/)
    .map(redact)
    .join("\n");

function spawnFailure(
  error: NodeJS.ErrnoException,
  cwd: string,
  redact: (text: string) => string,
): SyncFailure {
  // The same code says that the folder to run in is gone.
  if (error.code === "ENOENT" && existsSync(cwd)) {
    return new SyncFailure(
      "git-missing",
      "git was not found on the PATH; install git 2.31 or newer (https://git-scm.com), then refresh.",
    );
  }
  return new SyncFailure("git-failed", `git could not be started in ${cwd}: ${redact(error.message)}.`, {
    cause: error,
  });
}
