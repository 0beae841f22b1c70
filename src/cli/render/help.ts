import { COMMANDS, type CommandEntry } from "../command-table.ts";
import { type Flags, valueOf } from "../flags.ts";
import type { Style } from "./style.ts";

/** What `skills-mcp --help` prints. */
export function renderHelp(version: string, style: Style): string {
  const widest = Math.max(...Object.values(COMMANDS).map((entry) => entry.usage.length));
  const commands = Object.values(COMMANDS).map(
    (entry) => `  ${entry.usage.padEnd(widest)}  ${style.dim(entry.summary)}`,
  );
  return `${style.bold("skills-mcp")} ${version}: finds every Agent Skill on this machine and serves it to any agent over MCP

${style.bold("Usage")}
  skills-mcp [command] [flags]

${style.bold("Commands")}
${commands.join("\n")}

  skills-mcp <command> --help shows a command's flags. --version prints the version.

${style.bold("Connect an agent")}
  claude mcp add skills -- npx -y skills-mcp
  codex mcp add skills -- npx -y skills-mcp
`;
}

/** What `skills-mcp <command> --help` prints. */
export function renderCommandHelp(entry: CommandEntry, flags: Flags, style: Style): string {
  const rows = Object.entries(flags).map(
    ([name, flag]) => [`--${name} ${valueOf(flag)}`.trimEnd(), flag.help] as const,
  );
  const widest = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, help]) => `  ${left.padEnd(widest)}  ${style.dim(help)}`);
  return `${style.bold(`skills-mcp ${entry.usage}`)}: ${entry.summary}\n\n${style.bold("Flags")}\n${lines.join("\n")}\n`;
}
