import type { ownProgram } from "#agents";
import { connectLines } from "#agents/pure";
import type { Command } from "../command.ts";
import { COMMANDS } from "../command-table.ts";
import { type Flag, type Flags, flagValue } from "../flags.ts";
import { FLAG_GROUPS } from "../server-flags.ts";
import { VIEW_FLAGS } from "../shared-flags.ts";
import { COMMON_FLAGS } from "../terminal-log.ts";
import { renderDefinitions, wrap } from "./layout.ts";
import type { Look } from "./text.ts";

/** What `skills-mcp --help` prints. */
export function renderHelp(
  version: string,
  { width, style }: Look,
  own: Pick<ReturnType<typeof ownProgram>, "command" | "shown">,
): string {
  const commands = Object.values(COMMANDS).map(({ usage, summary }) => [usage, summary] as const);
  return `${style.bold("skills-mcp")} ${version}
${wrapped("Find every Agent Skill on this machine and serve it to any agent over MCP.", width)}

${style.bold("Usage")}
  skills-mcp [command] [flags]

${style.bold("Commands")}
${renderDefinitions(commands, width, style.dim).join("\n")}

${wrapped(`${aliasText()}Run skills-mcp <command> --help for the flags of a command, skills-mcp help flags for those that many share, skills-mcp --version for the version.`, width)}

${style.bold("Connect an agent")}
  ${own.shown} connect
${commandLines(own)
  .map((line) => `  ${line}`)
  .join("\n")}
`;
}

/** The first commands of clients that do the same as `connect`. */
function commandLines({ command: program, shown }: Parameters<typeof renderHelp>[2]): readonly string[] {
  const lines = connectLines({ kind: "local", command: program }, shown);
  return lines.flatMap(({ command }) => (command === undefined ? [] : [command])).slice(0, 2);
}

function aliasText(): string {
  const also = Object.entries(COMMANDS).flatMap(([name, { aliases }]) =>
    aliases.length === 0 ? [] : [`${aliases.join(" and ")} for ${name}`],
  );
  return also.length === 0 ? "" : `You can also write ${also.join(", ")}. `;
}

/** What `skills-mcp <command> --help` prints. Flags that many commands share are named alone. */
export function renderCommandHelp(
  {
    usage,
    summary,
    flags,
    examples,
    aliases,
  }: Pick<Command, "usage" | "summary" | "flags" | "examples" | "aliases">,
  { width, style }: Look,
): string {
  const rowsOf = (title: string) =>
    Object.entries(flags)
      .filter(([name, flag]) => groupOf(name, flag) === title)
      .map(([name, flag]) => rowOf(name, flag));
  const groups = OWN_GROUPS.map((title) => groupText(title, rowsOf(title), { width, style }));
  const shared = SHARED_GROUPS.flatMap(({ title, flags: all }) => {
    const names = Object.keys(all).flatMap((name) =>
      Object.hasOwn(flags, name) && flags[name] === all[name] ? [`--${name}`] : [],
    );
    return names.length === 0 ? [] : [`${style.bold(title)}: ${names.join(", ")}`];
  });
  const sentence = wrapped(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width);
  const shown = examples.map((example) => `  skills-mcp ${example}\n`).join("");
  const also = aliases.length === 0 ? "" : `  Also: ${aliases.join(", ")}\n`;
  return [
    `${sentence}\n\n`,
    shown === "" ? "" : `${style.bold("Examples")}\n${shown}\n`,
    `${style.bold("Usage")}\n  skills-mcp ${usage} [flags]\n${also}`,
    ...groups,
    ...shared.map((text) => `\n${wrapped(text, width)}\n`),
    shared.length === 0 ? "" : `\n${wrapped("skills-mcp help flags explains them.", width)}\n`,
  ].join("");
}

/** What `skills-mcp help flags` prints: the flags that the help of a command only names. */
export function renderSharedFlags(look: Look): string {
  const groups = SHARED_GROUPS.map(({ title, flags }) =>
    groupText(
      title,
      Object.entries(flags).map(([name, flag]) => rowOf(name, flag)),
      look,
    ),
  );
  return groups.join("").trimStart();
}

/** Flags that nearly every command has. Their lines would hide those of the command. */
const SHARED_GROUPS: readonly { readonly title: string; readonly flags: Flags }[] = [
  { title: "Flags of every command that reads skills", flags: VIEW_FLAGS },
  { title: "Flags of every command", flags: COMMON_FLAGS },
];

const OWN_GROUPS: readonly string[] = ["Flags", ...FLAG_GROUPS.map(([title]) => title)];

function groupText(
  title: string,
  rows: readonly (readonly [string, string])[],
  { width, style }: Look,
): string {
  if (rows.length === 0) return "";
  return `\n${style.bold(title)}\n${renderDefinitions(rows, width, style.dim).join("\n")}\n`;
}

function rowOf(name: string, flag: Flag): readonly [string, string] {
  return [`${letterOf(flag)}--${name} ${flagValue(flag)}`.trimEnd(), flag.help];
}

/** `-g, ` for a flag that has a letter. */
function letterOf(flag: Flag): string {
  return "short" in flag && flag.short !== undefined ? `-${flag.short}, ` : "";
}

function wrapped(sentence: string, width: number = Number.POSITIVE_INFINITY): string {
  return wrap(sentence, width).join("\n");
}

/**
 * The group of a flag: the last match, because a group may contain all flags of a later one. A command's own flag of the same
 * name, and one that means something more there, belong to no group.
 */
function groupOf(name: string, flag: Flag): string {
  const isIn = (group: Flags): boolean => Object.hasOwn(group, name) && group[name] === flag;
  const shared = SHARED_GROUPS.find(({ flags }) => isIn(flags));
  return shared?.title ?? FLAG_GROUPS.findLast(([, group]) => isIn(group))?.[0] ?? "Flags";
}
