import { ALL_AGENTS } from "#agents";
import type { Command, Completed } from "../command.ts";
import { type Flags, flagValue } from "../flags.ts";

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
export interface DescribedCommand
  extends Pick<Command, "name" | "aliases" | "usage" | "summary" | "examples"> {
  readonly flags: readonly DescribedFlag[];
  readonly arguments: Completed;
}

/** The command that flags alone belong to. */
export const DEFAULT_COMMAND = "mcp";

export function describeCommand({ flags, completes, ...command }: Command): DescribedCommand {
  const taken = completes ?? argumentsOf(command.usage.slice(command.name.length));
  return { ...command, flags: describeFlags(flags), arguments: taken };
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
  if (/^<agents?>/.test(value)) return ALL_AGENTS.map(({ id }) => id);
  if (/^<(?:dir|folder|out)\b/.test(value)) return "folder";
  return /^<(?:file|path)\b/.test(value) ? "file" : "text";
}

/** What a command takes, as its usage says: ` <name>`, ` <path>…`, ` bash|zsh|fish`. */
export function argumentsOf(usage: string): Completed {
  if (/^ [<[](?:path|source|dir|file)\b/.test(usage)) return "files";
  if (/[<[](?:name|skill)\b/.test(usage)) return "skills";
  if (/^ \[agent\b/.test(usage))
    return ALL_AGENTS.flatMap(({ id, connect }) => (connect === undefined ? [] : [id]));
  const [, words = ""] = /^ [<[]?(\w+(?:\|\w+)+)/.exec(usage) ?? [];
  return words === "" ? [] : words.split("|");
}
