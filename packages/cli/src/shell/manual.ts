import { FLAG_GROUPS } from "../server-flags.ts";
import { VIEW_FLAGS } from "../shared-flags.ts";
import { COMMON_FLAGS } from "../terminal-log.ts";
import type { DescribedCommand, DescribedFlag } from "./describe-commands.ts";

/** The manual page of section 1, as man(7) macros. Flags that most commands share are described once. */
export function manualPage(commands: readonly DescribedCommand[], version: string): string {
  const all = commands.flatMap(({ flags }) => flags);
  const server = commands.find(({ name }) => name === "mcp")?.flags ?? [];
  const serverFlags = server.filter(({ name }) => !isShared(name));
  const parts = [
    `.TH SKILLS\\-MCP 1 "" "skills\\-mcp ${escaped(version)}" "User Commands"`,
    ".SH NAME",
    "skills\\-mcp \\- find every Agent Skill on this machine and serve it to any agent over MCP",
    ".SH SYNOPSIS",
    ".B skills\\-mcp",
    "[\\fIcommand\\fR] [\\fIflags\\fR]",
    ".SH DESCRIPTION",
    "Without a command, skills\\-mcp serves skills over MCP on stdin and stdout; on a terminal it prints the state and the next steps.",
    "A command may follow flags that it shares with the server.",
    ".SH COMMANDS",
    ...commands.flatMap((command) => commandPart(command, serverFlags)),
    ".SH FLAGS OF EVERY COMMAND THAT READS SKILLS",
    ...flagParts(named(all, VIEW_FLAGS)),
    ".SH FLAGS OF A SERVER",
    ...flagParts(serverFlags),
    ".SH FLAGS OF EVERY COMMAND",
    ...flagParts(named(all, COMMON_FLAGS)),
    ".SH EXAMPLES",
    ".nf",
    ...commands.flatMap(({ examples: [first] }) =>
      first === undefined ? [] : [line(`skills-mcp ${first}`)],
    ),
    ".fi",
    ...CLOSING,
  ];
  return `${parts.join("\n")}\n`;
}

const CLOSING = [
  ".SH FILES",
  ...term("~/.skills-mcp/config.yaml", "your settings"),
  ...term(".skills-mcp.yaml", "settings of a project, which narrow and add"),
  ...term("~/.skills-mcp/disabled.json", "skills that are disabled for one agent or profile"),
  ".SH ENVIRONMENT",
  ...term("SKILLS_DIR", "folder of a skill library"),
  ...term("SKILLS_REPO", "repositories of skills"),
  ...term("NO_COLOR, FORCE_COLOR", "no colours, or always colours"),
  ".SH EXIT STATUS",
  ...term("0", "success"),
  ...term("1", "the request cannot be met, or a check found errors"),
  ...term("2", "invalid arguments or settings"),
  ...term("130", "a question was ended with Ctrl+C"),
];

function commandPart(
  { usage, aliases, summary, flags }: DescribedCommand,
  serverFlags: readonly DescribedFlag[],
): readonly string[] {
  const ofServer = new Set(serverFlags.map(({ name }) => name));
  const own = flags.filter(({ name }) => !isShared(name) && !ofServer.has(name));
  const also = aliases.length === 0 ? "" : ` Also: ${aliases.join(", ")}.`;
  return [
    ".TP",
    `.B ${escaped(usage)}`,
    line(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.${also}`),
    ...(own.length === 0 ? [] : [".RS", ...flagParts(own), ".RE"]),
  ];
}

function isShared(name: string): boolean {
  return Object.hasOwn(VIEW_FLAGS, name) || Object.hasOwn(COMMON_FLAGS, name);
}

/** The flags of a group, each once. */
function named(
  all: readonly DescribedFlag[],
  group: Readonly<Record<string, unknown>>,
): readonly DescribedFlag[] {
  return Object.keys(group).flatMap((name) => all.find((flag) => flag.name === name) ?? []);
}

function flagParts(flags: readonly DescribedFlag[]): readonly string[] {
  const groups = FLAG_GROUPS.flatMap(([, group]) => Object.keys(group));
  const inOrder = flags.toSorted((a, b) => groups.indexOf(a.name) - groups.indexOf(b.name));
  return inOrder.flatMap(({ name, short, value, help }) => {
    const letter = short === undefined ? "" : `-${short}, `;
    return term(`${letter}--${name}${value === "" ? "" : ` ${value}`}`, help);
  });
}

function term(word: string, meaning: string): readonly string[] {
  return [".TP", `.B ${escaped(word)}`, line(meaning)];
}

/** Text as a line of its own: a dot or an apostrophe at its start would be a request. */
function line(text: string): string {
  return /^[.']/.test(text) ? `\\&${escaped(text)}` : escaped(text);
}

/** In roff a backslash begins an escape, and a bare hyphen may become another character. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "...");
}
