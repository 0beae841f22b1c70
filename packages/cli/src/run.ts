import { ownProgram } from "#agents";
import { VERSION } from "#util";
import { Refusal } from "#util/pure";
import type { CommandEntry, Terminal } from "./command.ts";
import { COMMANDS, FLAG_OWNERS } from "./command-table.ts";
import { findCommand } from "./find-command.ts";
import { badUsage, didYouMean } from "./flags.ts";
import { cutLine, printable } from "./render/text.ts";

const EXIT = { refused: 1, badUsage: 2, bug: 70, interrupted: 130 } as const;
const BAD_USAGE: ReadonlySet<Refusal["detail"]["code"]> = new Set(["bad-usage", "bad-filter", "bad-config"]);

/** Runs one command line and returns its exit code. Every failure is reported here, on one line. */
export async function run(
  args: readonly string[],
  terminal: Terminal,
  stdinIsTerminal: () => boolean,
): Promise<number> {
  try {
    return await dispatch(args, terminal, stdinIsTerminal);
  } catch (error) {
    if (error instanceof Refusal) {
      for (const line of linesOf(error)) terminal.logLine(`skills-mcp: ${printable(cutLine(line))}`);
      if (error.detail.code === "interrupted") return EXIT.interrupted;
      return BAD_USAGE.has(error.detail.code) ? EXIT.badUsage : EXIT.refused;
    }
    terminal.logLine(
      `skills-mcp: internal error, please report this bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return EXIT.bug;
  }
}

async function dispatch(
  args: readonly string[],
  terminal: Terminal,
  stdinIsTerminal: () => boolean,
): Promise<number> {
  const { name, rest } = findCommand(args, commandWords());
  const asksForHelp = rest.includes("--help") || rest.includes("-h");
  const isHelpFirst = args[0] === "--help" || args[0] === "-h";
  // A client's config may pass flags without a command: they belong to the server.
  const usual = args.length === 0 && stdinIsTerminal() ? "status" : "mcp";
  const meant = name === "help" ? rest.find((word) => !word.startsWith("-")) : (name ?? usual);
  if (meant === undefined || (name === undefined && isHelpFirst)) return printHelp(terminal);
  if (name === "help" && meant === "flags") {
    const { renderSharedFlags } = await import("./render/help.ts");
    terminal.print(renderSharedFlags(terminal));
    return 0;
  }
  const entry = entryOf(meant);
  if (entry === undefined) {
    if (name === "help") return printHelp(terminal);
    throw unknownCommand(meant);
  }
  const { command } = await entry.load();
  if (asksForHelp || name === "help") {
    const { renderCommandHelp } = await import("./render/help.ts");
    terminal.print(renderCommandHelp(command, terminal));
    return 0;
  }
  checkWorkingFolder();
  return command.run(rest, terminal);
}

async function printHelp(terminal: Terminal): Promise<number> {
  const { renderHelp } = await import("./render/help.ts");
  terminal.print(renderHelp(VERSION, terminal, ownProgram()));
  return 0;
}

/** Refuses to run in a folder that was removed: relative paths and the project's skills start from it. */
function checkWorkingFolder(): void {
  try {
    process.cwd();
  } catch (error) {
    throw new Refusal(
      "The current folder no longer exists. Change to another one, for example with cd ~.",
      { code: "no-working-folder" },
      { cause: error },
    );
  }
}

function unknownCommand(name: string): Refusal {
  const way = didYouMean(name, commandWords()) || " Run skills-mcp --help for a list.";
  return badUsage(name, `Unknown command '${name}'.${way}`);
}

/** What is printed of a refusal: one line; of wrong settings, one line for each problem. */
function linesOf({ message, detail }: Refusal): readonly string[] {
  return detail.code === "bad-config" ? message.split("\n") : [message + hintFor(detail)];
}

function hintFor(detail: Refusal["detail"]): string {
  if (detail.code === "bad-usage" && Object.hasOwn(COMMANDS, detail.flag ?? ""))
    return ` Name one command: skills-mcp ${detail.flag} ….`;
  if (detail.code === "bad-usage" && detail.isUnknown) {
    const { flag = "" } = detail;
    const owners = Object.hasOwn(FLAG_OWNERS, flag) ? FLAG_OWNERS[flag] : undefined;
    return owners === undefined ? " Add --help to see all flags." : ` It is a flag of ${owners}.`;
  }
  if (detail.code !== "unknown-skill" || detail.explained === true) return "";
  return detail.suggestions.length === 0
    ? " Run skills-mcp list to see all skills."
    : ` Did you mean: ${detail.suggestions.join(", ")}?`;
}

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
