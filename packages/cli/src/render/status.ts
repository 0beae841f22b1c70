import type { Health } from "#server";
import { fitLines, padToColumns, renderDefinitions } from "./layout.ts";
import { count, type Look, printable, type Style, shortPath } from "./text.ts";

/** What `status` knows. */
export interface StatusReport {
  readonly version: string;
  readonly skills: number;
  /** What leaves no skill, as a clause. */
  readonly nothingLeft?: string;
  /** How many skills are from each place, the largest first. */
  readonly sources: readonly { readonly name: string; readonly skills: number }[];
  readonly repositories: readonly { readonly name: string; readonly isFailing: boolean }[];
  /** Of everything that `doctor` checks, and the settings that prevent a server from starting. */
  readonly errors: number;
  readonly warnings: number;
  /** There are too many skills to check their rules and run the audit here: only `doctor` counts those. */
  readonly isPartial?: boolean;
  readonly clients: {
    readonly connected: readonly ConnectableClient[];
    /** Installed, but not connected. */
    readonly others: readonly ConnectableClient[];
  };
}

interface ConnectableClient {
  readonly id: string;
  readonly name: string;
}

const MOST_NAMED = 3;
const MOST_STEPS = 3;

/** The places that have skills: an agent's folder, a plugin, a repository. */
export function sourcesOf(roots: Health["roots"], home: string): StatusReport["sources"] {
  return roots
    .filter(({ skills }) => skills > 0)
    .map(({ dir, plugin, skills }) => ({
      name: plugin === undefined ? shortPath(dir, home) : `plugin ${plugin}`,
      skills,
    }))
    .sort((a, b) => b.skills - a.skills);
}

/** What `skills-mcp` prints on a terminal: the state in a few lines, and what to do next. */
export function renderStatus(status: StatusReport, { width, style }: Look, ours: string): string {
  const { version, skills, repositories, errors, warnings, isPartial = false, clients } = status;
  const problems = [
    ...(errors === 0 ? [] : [style.red(count(errors, "error"))]),
    ...(warnings === 0 ? [] : [style.yellow(count(warnings, "warning"))]),
  ].join(", ");
  const failing = repositories.filter(({ isFailing }) => isFailing);
  const rows: readonly (readonly [string, string])[] = [
    ["Skills", skills === 0 ? noSkills(status) : `${style.bold(String(skills))} ${sourceText(status)}`],
    ...(repositories.length === 0
      ? []
      : [["Repositories", repositoryText(repositories.length, failing, style)] as const]),
    [
      "Problems",
      `${problems === "" ? style.green("none") : problems}${isPartial ? " in files and settings; skills-mcp doctor also checks rules and runs the audit" : ""}`,
    ],
    ["Clients", clientText(clients, style)],
  ];
  const next = nextSteps(status).map(
    ([command, meaning]) => [command.replace(/^skills-mcp/, () => ours), meaning] as const,
  );
  const text = `${style.bold("skills-mcp")} ${version}

${rows.map(([title, text]) => `  ${style.dim(padToColumns(title, 12))}  ${text}`).join("\n")}

${style.bold("Next")}
${renderDefinitions(next, width, style.dim).join("\n")}

Usage: skills-mcp [command] [flags]. Run skills-mcp --help for all commands.
`;
  return fitLines(text, width);
}

function noSkills({ nothingLeft }: StatusReport): string {
  return nothingLeft === undefined ? "none found" : `none: ${printable(nothingLeft)}`;
}

function sourceText({ sources }: StatusReport): string {
  const named = sources.slice(0, MOST_NAMED).map(({ name, skills }) => printable(`${skills} in ${name}`));
  const more = sources.length - named.length;
  return named.length === 0
    ? ""
    : `(${named.join(", ")}${more > 0 ? ` and ${count(more, "more place")}` : ""})`;
}

function repositoryText(all: number, failing: StatusReport["repositories"], style: Style): string {
  if (failing.length === 0) return String(all);
  return `${all}, ${style.red(printable(`failing: ${failing.map(({ name }) => name).join(", ")}`))}`;
}

function clientText({ connected, others }: StatusReport["clients"], style: Style): string {
  const names = (clients: readonly ConnectableClient[]): string => {
    const more = clients.length - MOST_NAMED;
    const named = clients.slice(0, MOST_NAMED).map(({ name }) => name);
    return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  };
  const parts = [
    ...(connected.length === 0 ? [] : [`${style.green("connected")}: ${names(connected)}`]),
    ...(others.length === 0 ? [] : [`${style.yellow("not connected")}: ${names(others)}`]),
  ];
  return parts.length === 0 ? "none found on this machine" : parts.join("; ");
}

/** The likely next commands, the most urgent first. */
export function nextSteps({
  skills,
  nothingLeft,
  errors,
  warnings,
  clients,
}: StatusReport): readonly (readonly [string, string])[] {
  const { connected, others } = clients;
  const steps: readonly (readonly [when: boolean, command: string, meaning: string])[] = [
    [nothingLeft !== undefined, "skills-mcp config", "see the profile and the filters of the settings files"],
    [skills === 0 && nothingLeft === undefined, "skills-mcp add anthropics/skills pdf", "install a skill"],
    [skills === 0 && nothingLeft === undefined, "skills-mcp new hello", "write one"],
    [errors > 0, "skills-mcp doctor", "see what is wrong, and how to fix it"],
    [
      connected.length === 0 || others.length > 0,
      connectCommand(others),
      connected.length === 0 ? "let an agent use the skills" : "let the other agents use the skills",
    ],
    [errors === 0 && warnings > 0, "skills-mcp doctor", "see the warnings"],
    [skills > 0, 'skills-mcp search "<task>"', "find the skill for a task"],
    [skills > 0, "skills-mcp serve --open", "open the dashboard"],
    [true, "skills-mcp list", "list all skills"],
  ];
  return steps
    .filter(([when]) => when)
    .slice(0, MOST_STEPS)
    .map(([, command, meaning]) => [command, meaning]);
}

/** The command that connects these clients; without any, the one that lists all clients. */
function connectCommand([client, second]: readonly ConnectableClient[]): string {
  if (client === undefined) return "skills-mcp connect --list";
  return second === undefined ? `skills-mcp connect ${client.id}` : "skills-mcp connect";
}
