import { Refusal } from "#util/pure";
import type { ProcessEnd } from "../process/run-process.ts";

/** One run of a script of the library. */
export interface ScriptRun {
  /** The script's real path, which is inside the library. */
  readonly file: string;
  /** Its name in errors and logs: `ui/react/auth: scripts/check.sh`. */
  readonly label: string;
  /** What the file contained when it was checked: a sandbox runs a copy of this, whatever is at its path by then. */
  readonly content: Uint8Array;
  /** The library's real folder. */
  readonly root: string;
  /** Folders of the library that it may read but not change, such as its resource folder. */
  readonly folders: readonly string[];
  /** A real path. */
  readonly cwd: string;
  /** Whether it may write to `cwd`; a `cwd` inside one of `folders` stays read-only in a sandbox. */
  readonly cwdWritable: boolean;
  /** What it cannot change where it lies in `cwd`: folders that are searched for skills, and what agents trust in the project. */
  readonly trusted: readonly string[];
  /** The command that runs it and its arguments, `["npx", "tsx"]`; the script's path is added. */
  readonly runner: readonly string[];
  /** Passed as `SKILL_ARG_<NAME>`. */
  readonly args: Readonly<Record<string, string>>;
  /** Whether it has the network; without a sandbox, every script has. */
  readonly network: boolean;
  readonly timeoutMs: number;
  /** For each of the two outputs. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with lines of both outputs as they come, shortened and rate limited. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export interface ScriptOutcome {
  readonly success: boolean;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly sandbox: SandboxStatus["kind"];
  /** What the caller should know about how it ran; undefined when there is nothing. */
  readonly warning: string | undefined;
  readonly timedOut: boolean;
  /** Whether it was killed because it wrote too much to the disk. */
  readonly filledDisk: boolean;
  readonly stdoutCut: boolean;
  readonly stderrCut: boolean;
}

/** What isolates scripts from the machine, or why nothing does. */
export type SandboxStatus =
  | { readonly kind: "bubblewrap" | "seatbelt" }
  | {
      readonly kind: "none";
      readonly reason: string;
      /** What the operator can do about it, as whole sentences; empty if nothing. */
      readonly way: string;
      /** False: scripts are refused then. */
      readonly runs: boolean;
    };

/** The exit code of a script that was killed, however it reacted to the signals. */
const KILLED = 137;

export function scriptOutcome(
  end: ProcessEnd,
  { sandbox, warning }: Pick<ScriptOutcome, "sandbox" | "warning">,
): ScriptOutcome {
  const killed = end.why !== "exit";
  const reason = {
    timeout: "timeout exceeded",
    disk: "it wrote too much to the disk",
    exit: "",
    cancelled: "",
  }[end.why];
  const notice = `[skills-mcp] Script killed: ${reason}.`;
  return {
    success: !killed && end.exitCode === 0,
    exitCode: killed ? KILLED : end.exitCode,
    stdout: end.stdout.text,
    stderr: killed ? withLastLine(end.stderr.text, notice) : end.stderr.text,
    durationMs: end.durationMs,
    sandbox,
    warning,
    timedOut: end.why === "timeout",
    filledDisk: end.why === "disk",
    stdoutCut: end.stdout.cut,
    stderrCut: end.stderr.cut,
  };
}

const withLastLine = (text: string, line: string): string =>
  text === "" || text.endsWith("\n") ? `${text}${line}` : `${text}\n${line}`;

export const cancelled = (label: string): Refusal =>
  new Refusal(`${label}: the run was cancelled, and everything it started was killed.`, {
    code: "library",
    reason: "cancelled",
  });

/** Explains why the system could not start a process, and what to do about it. */
export function startFailure(label: string, command: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const refuse = (reason: "bad-argument" | "no-runner" | "busy", message: string): Refusal =>
    new Refusal(`${label}: ${message}`, { code: "library", reason }, { cause: error });
  switch (code) {
    case "E2BIG":
      return refuse(
        "bad-argument",
        "its arguments are too long for this system. Write long data to a file and pass its path.",
      );
    case "ERR_INVALID_ARG_VALUE":
      return refuse("bad-argument", "a NUL character cannot be passed to a program. Remove it.");
    case "ENOENT":
    case "EACCES":
    case "ENOEXEC":
    case "EPERM":
      return refuse(
        "no-runner",
        `the program ${command} cannot be started (${code}). Reinstall it, or set another one in scripts.runners.`,
      );
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return refuse(
        "busy",
        `the system cannot start another process now (${code}). Retry when others have ended.`,
      );
    default:
      return error;
  }
}
