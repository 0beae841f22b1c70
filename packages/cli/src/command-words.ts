import type { CommandEntry } from "./command.ts";
import { COMMANDS } from "./command-table.ts";

/** The command that a word stands for: its name or an alias. */
export function entryOf(word: string): CommandEntry | undefined {
  if (Object.hasOwn(COMMANDS, word)) return COMMANDS[word];
  return Object.values(COMMANDS).find(({ aliases }) => aliases.includes(word));
}

/** Every word that is a command. */
export function commandWords(): ReadonlySet<string> {
  const aliases = Object.values(COMMANDS).flatMap((entry) => entry.aliases);
  return new Set([...Object.keys(COMMANDS), ...aliases, "help"]);
}
