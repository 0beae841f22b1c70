import { ALIASES, COMMANDS } from "./command-table.ts";
import type { Flag } from "./flags.ts";
import { OTHER_NAMES } from "./flags.ts";
import { SERVER_FLAGS } from "./server-flags.ts";
import { COMMON_FLAGS } from "./terminal-log.ts";

/** A command line, taken apart. */
export interface FoundCommand {
  /** As it was written, without an alias; undefined when there is none, which means the server. */
  readonly name: string | undefined;
  /** Everything but the command. */
  readonly rest: readonly string[];
}

/** The flags that a client's configuration may pass without a command. Any command may follow most of them. */
const LEADING_FLAGS: Readonly<Record<string, Flag>> = { ...SERVER_FLAGS, ...COMMON_FLAGS };

/**
 * Finds the command, which may follow flags: `--user-dir x list` is `list`, `--skill-dir list` is the server. The first word
 * that is not the value of a flag is the command, if there is one of that name.
 */
export function findCommand(args: readonly string[]): FoundCommand {
  const [first = ""] = args;
  if (first !== "" && !first.startsWith("-")) return { name: commandOf(first), rest: args.slice(1) };
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) {
      const isCommand = isCommandWord(word);
      return isCommand
        ? { name: commandOf(word), rest: [...args.slice(0, index), ...args.slice(index + 1)] }
        : { name: undefined, rest: args };
    }
    if (takesNext(word, args[index + 1])) index++;
  }
  return { name: undefined, rest: args };
}

/** The command that a word stands for. */
export function commandOf(word: string): string {
  const meant = Object.hasOwn(ALIASES, word) ? ALIASES[word] : undefined;
  return meant !== undefined && Object.hasOwn(COMMANDS, meant) ? meant : word;
}

function isCommandWord(word: string): boolean {
  return word === "help" || Object.hasOwn(COMMANDS, commandOf(word));
}

/** Whether the word after a flag is its value. Of a flag that only some commands have, a command is not. */
function takesNext(word: string, next: string | undefined): boolean {
  if (word.includes("=") || next === undefined) return false;
  const typed = word.replace(/^--/, "");
  const name = Object.hasOwn(OTHER_NAMES, typed) ? (OTHER_NAMES[typed]?.name ?? typed) : typed;
  const flag = Object.hasOwn(LEADING_FLAGS, name) ? LEADING_FLAGS[name] : undefined;
  if (flag !== undefined) return flag.kind !== "switch";
  return !next.startsWith("-") && !isCommandWord(next) && word !== "--help" && word !== "-h";
}
