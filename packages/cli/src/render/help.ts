import type { ownProgram } from "#agents";
import { connectLines } from "#agents/pure";
import type { Command } from "../command.ts";
import { COMMANDS } from "../command-table.ts";
import { type Flag, flagValue } from "../flags.ts";
import { FLAG_GROUPS } from "../server-flags.ts";
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

${wrapped(`${aliasText()}Run skills-mcp <command> --help for the flags of a command, skills-mcp --version for the version.`, width)}

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

/** What `skills-mcp <command> --help` prints. */
export function renderCommandHelp(
  { usage, summary, flags, aliases }: Pick<Command, "usage" | "summary" | "flags" | "aliases">,
  { width, style }: Look,
): string {
  const titles = ["Flags", ...FLAG_GROUPS.map(([title]) => title)];
  const groups = titles.flatMap((title) => {
    const rows = Object.entries(flags)
      .filter(([name]) => groupOf(name) === title)
      .map(([name, flag]) => [`${letterOf(flag)}--${name} ${flagValue(flag)}`.trimEnd(), flag.help] as const);
    const lines = renderDefinitions(rows, width, style.dim);
    return rows.length === 0 ? [] : [`\n${style.bold(title)}\n${lines.join("\n")}\n`];
  });
  const sentence = wrapped(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, width);
  const also = aliases.length === 0 ? "" : `  Also: ${aliases.join(", ")}\n`;
  return `${sentence}\n\n${style.bold("Usage")}\n  skills-mcp ${usage} [flags]\n${also}${groups.join("")}`;
}

/** `-g, ` for a flag that has a letter. */
function letterOf(flag: Flag): string {
  return "short" in flag && flag.short !== undefined ? `-${flag.short}, ` : "";
}

function wrapped(sentence: string, width: number = Number.POSITIVE_INFINITY): string {
  return wrap(sentence, width).join("\n");
}

/** The last match, because a group may contain all flags of a later one. */
function groupOf(name: string): string {
  return FLAG_GROUPS.findLast(([, group]) => Object.hasOwn(group, name))?.[0] ?? "Flags";
}
