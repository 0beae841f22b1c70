import { type Flag, OTHER_NAMES } from "./flags.ts";
import { SERVER_FLAGS } from "./server-flags.ts";
import { COMMON_FLAGS } from "./terminal-log.ts";

/** A command line, taken apart. */
export interface FoundCommand {
  /** As it was written; undefined when there is none, which means the server. */
  readonly name: string | undefined;
  /** Everything but the command. */
  readonly rest: readonly string[];
}

/** The flags that a client's configuration may pass without a command. Any command may follow most of them. */
const LEADING_FLAGS: Readonly<Record<string, Flag>> = { ...SERVER_FLAGS, ...COMMON_FLAGS };

/**
 * Finds the command, which may follow flags: `--user-dir x list` is `list`, `--skill-dir list` is the server. The first word
 * that is not the value of a flag is the command, if it is one of `words`: the start script knows them without the commands.
 */
export function findCommand(args: readonly string[], words: ReadonlySet<string>): FoundCommand {
  const [first = ""] = args;
  if (first !== "" && !first.startsWith("-")) return { name: first, rest: args.slice(1) };
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word === "--") break;
    if (!word.startsWith("-")) {
      return words.has(word)
        ? { name: word, rest: [...args.slice(0, index), ...args.slice(index + 1)] }
        : { name: undefined, rest: args };
    }
    if (takesNext(word, args[index + 1], words)) index++;
  }
  return { name: undefined, rest: args };
}

/** Whether the word after a flag is its value. After a flag that only some commands have, the name of a command is not. */
function takesNext(word: string, next: string | undefined, words: ReadonlySet<string>): boolean {
  if (word.includes("=") || next === undefined) return false;
  const typed = word.replace(/^--/, "");
  const name = Object.hasOwn(OTHER_NAMES, typed) ? (OTHER_NAMES[typed]?.name ?? typed) : typed;
  const flag = Object.hasOwn(LEADING_FLAGS, name) ? LEADING_FLAGS[name] : undefined;
  if (flag !== undefined) return flag.kind !== "switch";
  return !next.startsWith("-") && !words.has(next) && word !== "--help" && word !== "-h";
}
