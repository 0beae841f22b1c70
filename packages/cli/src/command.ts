import type { Log } from "#util";
import { flagsWithFiles } from "./file-flags.ts";
import { badUsage, type Flags, type FlagValues, parseFlags } from "./flags.ts";
import { printableJson, type Style } from "./render/text.ts";
import type { StdioProcess } from "./stdio/stdio-session.ts";
import { COMMON_FLAGS, terminalLog } from "./terminal-log.ts";

/** The terminal, or what a test uses in its place. */
export interface Terminal {
  /** Writes to standard output, as it is. */
  print(text: string): void;
  /** Writes one line to standard error. */
  logLine(line: string): void;
  /** For standard output. */
  readonly style: Style;
  /** For standard error. */
  readonly errorStyle: Style;
  /** Columns of standard output; undefined if it is not a terminal, and nothing is truncated. */
  readonly width: number | undefined;
  /** Asks a question on standard error and returns the answer; undefined where nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** What a server on stdio reads, writes and is ended by. */
  readonly stdio: StdioProcess;
}

interface CommandSpec<T extends Flags> {
  readonly name: string;
  readonly flags: T;
  /** Which positionals it takes. */
  readonly takes: "none" | "one" | "some" | "any";
  /** False: only the command line counts, not the settings files. */
  readonly usesFiles?: boolean;
  /** Returns the exit code. */
  run(invocation: Invocation<T>): Promise<number>;
}

export interface Invocation<T extends Flags> {
  readonly given: FlagValues<T>;
  /** The flags that were written on the command line. */
  readonly named: ReadonlySet<string>;
  /** The same command line with what the files say now. */
  readonly givenNow: () => Promise<FlagValues<T>>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly log: Log;
}

export interface Command {
  readonly flags: Flags;
  /** Returns the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** A command with its arguments checked. Every command takes the common flags. */
export function defineCommand<const T extends Flags>({
  name,
  flags,
  takes,
  usesFiles = true,
  run,
}: CommandSpec<T>): Command {
  const allFlags: T & typeof COMMON_FLAGS = { ...flags, ...COMMON_FLAGS };
  return {
    flags: allFlags,
    async run(args, terminal) {
      const parsed = parseFlags(args, allFlags);
      const { named, positionals } = parsed;
      const [first, second] = positionals;
      if (takes === "none" && first !== undefined) {
        throw badUsage(first, `${name} takes no arguments, but got '${first}'.`);
      }
      if (takes === "one" && (first === undefined || second !== undefined)) {
        throw badUsage("<name>", `${name} takes one skill name: skills-mcp ${name} <name>.`);
      }
      if (takes === "some" && first === undefined) {
        throw badUsage("<name>", `${name} takes one or more skill names: skills-mcp ${name} <name>….`);
      }
      const log = terminalLog(terminal, parsed.flags);
      const givenNow = async () => (usesFiles ? flagsWithFiles(parsed, allFlags, log) : parsed.flags);
      return run({ given: await givenNow(), givenNow, named, positionals, terminal, log });
    },
  };
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(`${printableJson(value, 2)}\n`);
}
