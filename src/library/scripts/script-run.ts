/** One run of a script of the library. */
export interface ScriptRun {
  /** The script's real path, known to be in the library. */
  readonly file: string;
  /** What errors and logs call it: `ui/react/auth: scripts/check.sh`. */
  readonly label: string;
  /** Folders that it may read and never change, such as its resource folder. */
  readonly folders: readonly string[];
  readonly cwd: string;
  /** Whether it may write to `cwd`; a `cwd` inside one of `folders` stays read-only in a sandbox. */
  readonly cwdWritable: boolean;
  /** The command that runs it and its arguments, `["npx", "tsx"]`; the script's path is added. */
  readonly runner: readonly string[];
  /** Passed as `SKILL_ARG_<NAME>`. */
  readonly args: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** For each of the two outputs. */
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with lines of both outputs as they come, shortened, and with some left out when there are very many. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export interface ScriptOutcome {
  readonly success: boolean;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly sandbox: SandboxStatus["kind"];
  readonly timedOut: boolean;
  /** Whether it was ended because it wrote without end. */
  readonly flooded: boolean;
  readonly stdoutCut: boolean;
  readonly stderrCut: boolean;
}

/** What keeps scripts apart from the machine, or why nothing does. */
export type SandboxStatus =
  | { readonly kind: "bubblewrap" }
  | { readonly kind: "seatbelt" }
  | { readonly kind: "none"; readonly reason: string };
