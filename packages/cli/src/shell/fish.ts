import { DEFAULT_COMMAND, type DescribedCommand, type DescribedFlag } from "./describe-commands.ts";

/** The completion of fish. */
export function fishScript(commands: readonly DescribedCommand[]): string {
  const server = commands.find(({ name }) => name === DEFAULT_COMMAND);
  const first = "__fish_use_subcommand";
  const names = commands.flatMap(({ name, aliases, summary }) =>
    [name, ...aliases].map((word) => `complete -c skills-mcp -n ${first} -a ${word} -d ${quoted(summary)}`),
  );
  return `# fish completion for skills-mcp
# Put this line into ~/.config/fish/config.fish:  skills-mcp completion fish | source

function __skills_mcp_names
    set -l program (commandline -opc)[1]
    $program list $argv --format names --log-level error 2>/dev/null
end

complete -c skills-mcp -f
${names.join("\n")}
${(server?.flags ?? []).map((flag) => flagLine(first, flag)).join("\n")}
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ name, aliases, flags, arguments: taken }: DescribedCommand): readonly string[] {
  const seen = quoted(`__fish_seen_subcommand_from ${[name, ...aliases].join(" ")}`);
  return [...flags.map((flag) => flagLine(seen, flag)), ...argumentLine(seen, taken)];
}

function flagLine(condition: string, { name, short, help, kind }: DescribedFlag): string {
  const letter = short === undefined ? "" : ` -s ${short}`;
  return `complete -c skills-mcp -n ${condition} -l ${name}${letter}${valueOf(kind)} -d ${quoted(help)}`;
}

function valueOf(kind: DescribedFlag["kind"]): string {
  if (kind === undefined) return "";
  if (kind === "folder") return " -xa '(__fish_complete_directories)'";
  if (kind === "file") return " -rF";
  return kind === "text" ? " -x" : ` -xa ${quoted(kind.join(" "))}`;
}

function argumentLine(condition: string, taken: DescribedCommand["arguments"]): readonly string[] {
  const start = `complete -c skills-mcp -n ${condition}`;
  if (taken === "skills") return [`${start} -a '(__skills_mcp_names)'`];
  if (taken === "disabled-skills") return [`${start} -a '(__skills_mcp_names --disabled)'`];
  if (taken === "files") return [`${start} -F`];
  return taken.length === 0 ? [] : [`${start} -a ${quoted(taken.join(" "))}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
