import { DEFAULT_COMMAND, type DescribedCommand, type DescribedFlag } from "./describe-commands.ts";

/** The completion of zsh. It works as a file of `$fpath` and when it is evaluated. */
export function zshScript(commands: readonly DescribedCommand[]): string {
  const server = commands.find(({ name }) => name === DEFAULT_COMMAND);
  const described = commands.flatMap(({ name, aliases, summary }) =>
    [name, ...aliases].map((word) => `    ${quoted(`${word}:${summary}`)}`),
  );
  return `#compdef skills-mcp
# Put this line into ~/.zshrc, after compinit:  source <(skills-mcp completion zsh)

_skills_mcp_names() {
  local -a names
  names=(\${(f)"$(_call_program skills "$@" --format names --log-level error 2>/dev/null)"})
  compadd -a names
}

_skills_mcp_commands() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  _describe -t commands command commands
}

_skills_mcp() {
  local context state state_descr line program=\${(q)words[1]}
  typeset -A opt_args
  _arguments -C \\
${specs(server?.flags ?? [])}
    '1: :->command' \\
    '*:: :->argument'
  case $state in
    command) _skills_mcp_commands ;;
    argument)
      case $words[1] in
${commands.map(commandCase).join("\n")}
      esac ;;
  esac
}

if [[ $funcstack[1] == _skills_mcp || $funcstack[1] == _skills-mcp ]]; then
  _skills_mcp "$@"
else
  compdef _skills_mcp skills-mcp
fi
`;
}

function commandCase({ name, aliases, flags, arguments: taken }: DescribedCommand): string {
  return `        ${[name, ...aliases].join("|")})
          _arguments \\
${specs(flags)}
            ${argumentSpec(taken)} ;;`;
}

function specs(flags: readonly DescribedFlag[]): string {
  return flags.flatMap((flag) => specsOf(flag).map((spec) => `            ${spec} \\`)).join("\n");
}

/** One specification for each way to write a flag. A list may be repeated; so may any other, and the last one counts. */
function specsOf({ name, short, help, kind }: DescribedFlag): readonly string[] {
  const value = kind === undefined ? "" : `:value:${actionOf(kind)}`;
  const text = help.replace(/[[\]:\\]/g, "\\$&");
  const long = `*--${name}${kind === undefined ? "" : "="}[${text}]${value}`;
  return [quoted(long), ...(short === undefined ? [] : [quoted(`*-${short}[${text}]${value}`)])];
}

function actionOf(kind: NonNullable<DescribedFlag["kind"]>): string {
  if (kind === "folder") return "_files -/";
  if (kind === "file") return "_files";
  return kind === "text" ? " " : `(${kind.join(" ")})`;
}

/** An action that begins with a space is called as it is; zsh would add arguments of its own to any other. */
function argumentSpec(taken: DescribedCommand["arguments"]): string {
  if (taken === "skills") return `"*:skill: _skills_mcp_names $program list"`;
  if (taken === "disabled-skills") return `"*:skill: _skills_mcp_names $program list --disabled"`;
  if (taken === "files") return "'*:path:_files'";
  return taken.length === 0 ? "'*: :'" : quoted(`*:value:(${taken.join(" ")})`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
