import { refuseProblems } from "#config";
import type { StdioProcess } from "#server";
import type { Log } from "#util";
import { type ReadFlags, readFlags } from "./file-flags.ts";
import { badUsage, type Flags, type FlagValues, parseFlags } from "./flags.ts";
import { printableJson, type Style } from "./render/text.ts";
import type { EarlyStart } from "./start/answer-early.ts";
import { COMMON_FLAGS, terminalLog } from "./terminal-log.ts";

/** The terminal, or what a test uses in its place. */
export interface Terminal {
  /** Writes text to standard output without changing it. */
  print(text: string): void;
  /** Writes one line to standard error. */
  logLine(line: string): void;
  /** Colours of standard output. */
  readonly style: Style;
  /** Colours of standard error. */
  readonly errorStyle: Style;
  /** Columns of standard output; undefined if it is not a terminal, and nothing is truncated. */
  readonly width: number | undefined;
  /** Asks a question on standard error and returns the answer; undefined where nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** Asks for a secret: nothing of the answer is shown. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined;
  /** Shows choices on standard error and returns the numbers of those that were picked: undefined after Ctrl+C. */
  readonly pick?:
    | ((message: string, choices: readonly PickChoice[]) => Promise<readonly number[] | undefined>)
    | undefined;
  /** The streams of a server on stdio, and the signals that end it. */
  readonly stdio: StdioProcess;
  /** A server on stdio that the start script has begun, which the command goes on with. */
  readonly early?: EarlyStart | undefined;
}

/** One of the skills that a person picks from. Its texts may be anybody's. */
export interface PickChoice {
  readonly name: string;
  readonly description: string;
}

/** The bundle that contains a command: what needs the MCP SDK, what shows skills, and what gets, shares and connects them. */
export type Bundle = "server" | "commands" | "manage";

/** What shells complete after a command: names of skills, files, or these words. */
export type Completed = "skills" | "disabled-skills" | "files" | readonly string[];

/** One file of commands/ as it declares itself. Help, completion, the manual page and the bundles derive from it. */
interface CommandSpec<T extends Flags> {
  /** Also the name of its file. */
  readonly name: string;
  /** Short names that people know from package managers. */
  readonly aliases?: readonly string[];
  /** What follows the name on a command line, as help shows it. */
  readonly usage?: string;
  readonly summary: string;
  /** Help lists commands by this number, lowest first. */
  readonly order: number;
  readonly bundle: Bundle;
  readonly flags: T;
  /** One or two command lines for help, without `skills-mcp`. */
  readonly examples?: readonly string[];
  /** How many arguments without a flag it takes. */
  readonly takes: "none" | "one" | "some" | "any";
  /** What shells complete, for a command whose `usage` does not tell. */
  readonly completes?: Completed;
  /** False: only the command line counts, not the settings files. */
  readonly usesFiles?: boolean;
  /** True: it also runs while the settings files are wrong, and says so itself. Otherwise that is a `Refusal`. */
  readonly runsDespiteFiles?: boolean;
  /** True: it runs until somebody ends it, and each line of its log has a time. */
  readonly isServer?: boolean;
  /** Returns the exit code. */
  run(invocation: CommandInvocation<T>): Promise<number>;
}

export interface CommandInvocation<T extends Flags> {
  readonly given: FlagValues<T>;
  /** The flags that were written on the command line. */
  readonly named: ReadonlySet<string>;
  /** `given` with what the settings files say now. Wrong ones are a `Refusal`. */
  readonly givenNow: () => Promise<FlagValues<T>>;
  /** What was read of the settings files for `given`. */
  readonly read: ReadFlags<T>;
  /** What the settings files say now. */
  readonly readNow: () => Promise<ReadFlags<T>>;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly log: Log;
}

export interface Command extends Pick<CommandSpec<Flags>, "name" | "summary" | "order" | "bundle" | "flags"> {
  readonly aliases: readonly string[];
  /** The name and what follows it, as help shows them. */
  readonly usage: string;
  readonly completes: Completed | undefined;
  readonly examples: readonly string[];
  /** Returns the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>;
}

/** What is known of a command before its file is loaded. */
export interface CommandEntry extends Pick<Command, "aliases" | "usage" | "summary"> {
  /** Commands load on demand: `list` does not load the MCP SDK. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

/** A command that checks its arguments. Every command takes the common flags. */
export function defineCommand<const T extends Flags>(spec: CommandSpec<T>): Command {
  const { name, takes, usesFiles = true, runsDespiteFiles = false, isServer = false, run } = spec;
  const flags: T & typeof COMMON_FLAGS = { ...spec.flags, ...COMMON_FLAGS };
  return {
    ...spec,
    aliases: spec.aliases ?? [],
    usage: `${name} ${spec.usage ?? ""}`.trimEnd(),
    completes: spec.completes,
    examples: spec.examples ?? [],
    flags,
    async run(args, terminal) {
      const parsed = parseFlags(args, flags, name);
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
      const log = terminalLog(terminal, parsed.flags, { withTime: isServer || terminal.width === undefined });
      const alone = { given: parsed.flags, problems: [], written: parsed.flags };
      const readNow = async () => (usesFiles ? readFlags(parsed, flags, log) : alone);
      const givenNow = async () => {
        const { given, problems } = await readNow();
        refuseProblems(problems);
        return given;
      };
      const read = await readNow();
      if (!runsDespiteFiles) refuseProblems(read.problems);
      return run({ given: read.given, givenNow, read, readNow, named, positionals, terminal, log });
    },
  };
}

export function printJson(terminal: Terminal, value: unknown): void {
  terminal.print(`${printableJson(value, 2)}\n`);
}
