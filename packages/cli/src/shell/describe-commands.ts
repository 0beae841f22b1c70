import { aliasesOf, COMMANDS } from "../command-table.ts";
import { type Flags, flagValue } from "../flags.ts";

/** What the words after a command are. */
type Arguments = "skills" | "disabled-skills" | "files" | readonly string[];

/** What the value of a flag is; undefined for a flag that takes none. */
type ValueKind = "folder" | "file" | "text" | readonly string[] | undefined;

export interface DescribedFlag {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** As help shows it. */
  readonly value: string;
  readonly kind: ValueKind;
}

/** A command as shells and the manual see it. */
export interface DescribedCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly DescribedFlag[];
  readonly arguments: Arguments;
}

/** The command that flags alone belong to. */
export const DEFAULT_COMMAND = "mcp";

/** Every command of the one table, with its flags. Only the build calls this: it loads all of them. */
export async function describeCommands(): Promise<readonly DescribedCommand[]> {
  return Promise.all(
    Object.entries(COMMANDS).map(async ([name, { usage, summary, load }]) => ({
      name,
      aliases: aliasesOf(name),
      usage,
      summary,
      flags: describeFlags((await load()).command.flags),
      arguments: argumentsOf(name, usage),
    })),
  );
}

function describeFlags(flags: Flags): readonly DescribedFlag[] {
  return Object.entries(flags).map(([name, flag]) => ({
    name,
    ...("short" in flag && flag.short !== undefined ? { short: flag.short } : {}),
    help: flag.help,
    value: flagValue(flag),
    kind: flag.kind === "choice" ? flag.choices : kindOf(flagValue(flag)),
  }));
}

function kindOf(value: string): ValueKind {
  if (value === "") return undefined;
  if (/^<(?:dir|folder|out)\b/.test(value)) return "folder";
  return /^<(?:file|path)\b/.test(value) ? "file" : "text";
}

/** What a command takes, as its usage says: `info <name>`, `validate <path>…`, `completion bash|zsh|fish`. */
export function argumentsOf(name: string, usage: string): Arguments {
  const wanted = usage.slice(name.length);
  if (/^ [<[](?:path|source|dir|file)\b/.test(wanted)) return "files";
  if (/[<[](?:name|skill)\b/.test(wanted) && name !== "new")
    return name === "enable" ? "disabled-skills" : "skills";
  const [, words = ""] = /^ [<[]?(\w+(?:\|\w+)+)/.exec(wanted) ?? [];
  return words === "" ? [] : words.split("|");
}
