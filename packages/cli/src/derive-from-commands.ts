import { VERSION } from "#util";
import type { Bundle, Command } from "./command.ts";
import { bashScript } from "./shell/bash.ts";
import { describeCommand } from "./shell/describe-commands.ts";
import { fishScript } from "./shell/fish.ts";
import { manualPage } from "./shell/manual.ts";
import { powershellScript } from "./shell/powershell.ts";
import { zshScript } from "./shell/zsh.ts";
import { COMMON_FLAGS } from "./terminal-log.ts";

/** What the build derives from all commands. No bundle can: each has only some of them. */
export interface Derived {
  /** The text of command-table.ts. */
  readonly table: string;
  /** The bundle of each command, by its names. */
  readonly bundles: Readonly<Record<string, Bundle>>;
  /** What the build writes into dist/, by its path there. */
  readonly shellFiles: Readonly<Record<string, string>>;
}

/** `files` are the commands by the names of their files. */
export function deriveFromCommands(files: Readonly<Record<string, Command>>): Derived {
  const commands = Object.values(files).toSorted((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
  const words = commands.flatMap(({ name, aliases, bundle }) =>
    [name, ...aliases].map((word) => [word, bundle] as const),
  );
  const bundles = Object.fromEntries(words);
  const misplaced = Object.entries(files).find(([file, { name }]) => file !== name);
  if (misplaced !== undefined)
    throw new Error(`commands/${misplaced[0]}.ts declares '${misplaced[1].name}', not the name of its file.`);
  if (Object.keys(bundles).length < words.length)
    throw new Error("Two commands in commands/ have the same name or alias.");
  const described = commands.map(describeCommand);
  return {
    table: tableOf(commands),
    bundles,
    shellFiles: {
      "completion/bash": bashScript(described),
      "completion/zsh": zshScript(described),
      "completion/fish": fishScript(described),
      "completion/powershell": powershellScript(described),
      "man/skills-mcp.1": manualPage(described, VERSION),
    },
  };
}

function tableOf(commands: readonly Command[]): string {
  return `// Written by the build from the files in commands/, so that help and the choice of a command load none of them.
import type { CommandEntry } from "./command.ts";

export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
${commands.map(rowOf).join("\n")}
};

/** The commands that have a flag, for the refusal of one that another command has. */
export const FLAG_OWNERS: Readonly<Record<string, string>> = {
${ownersOf(commands)
  .map(([written, owners]) => `  ${JSON.stringify(written)}: ${JSON.stringify(owners)},`)
  .join("\n")}
};
`;
}

/** A refusal names this many commands. */
const MOST_OWNERS = 3;

function ownersOf(commands: readonly Command[]): readonly (readonly [written: string, owners: string])[] {
  const names = new Map<string, string[]>();
  for (const command of commands) {
    const { flags } = describeCommand(command);
    for (const { name, short } of flags.filter((flag) => !Object.hasOwn(COMMON_FLAGS, flag.name)))
      for (const written of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])])
        names.set(written, [...(names.get(written) ?? []), command.name]);
  }
  return Array.from(names, ([written, owners]) => {
    const shown = owners.length > MOST_OWNERS ? [...owners.slice(0, MOST_OWNERS), "others"] : owners;
    return [written, shown.join(", ").replace(/, (?!.*, )/, " and ")] as const;
  });
}

function rowOf({ name, aliases, usage, summary }: Command): string {
  const known = JSON.stringify({ aliases, usage, summary }).slice(1, -1);
  return `  ${JSON.stringify(name)}: {${known}, load: () => import("./commands/${name}.ts")},`;
}
