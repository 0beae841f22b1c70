import { DEFAULT_COMMAND, type DescribedCommand, type DescribedFlag } from "./describe-commands.ts";

/**
 * The completion of bash 3.2 and later, which is the bash of macOS. Names of skills come from files, so they are compared and
 * quoted one by one: `compgen -W` would run `$(…)` in them.
 */
export function bashScript(commands: readonly DescribedCommand[]): string {
  const server = commands.find(({ name }) => name === DEFAULT_COMMAND);
  return `# bash completion for skills-mcp
# Put this line into ~/.bashrc:  eval "$(skills-mcp completion bash)"

_skills_mcp_names() {
  local typed="\${COMP_LINE:0:COMP_POINT}" name
  typed="\${typed##*[[:space:]]}"
  # Readline completes what follows the last colon.
  local before="\${typed%"\${typed##*:}"}"
  while IFS= read -r name; do
    [[ $name == "$typed"* ]] && COMPREPLY+=("$(printf '%q' "\${name#"$before"}")")
  done < <("$@" --format names --log-level error 2>/dev/null)
}

_skills_mcp_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$2"))
}

_skills_mcp() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command="" index
  COMPREPLY=()
  # \`--flag=value\` is three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${words(valueFlags(commands)).join("|")})
        [[ \${COMP_WORDS[index+1]} == "=" ]] && index=$((index + 1))
        index=$((index + 1)) ;;
      -*|=) ;;
${commands.map(({ name, aliases }) => `      ${[name, ...aliases].join("|")}) command=${name}; break ;;`).join("\n")}
      *) break ;;
    esac
  done
  case "$command:$prev" in
${valueCases(commands).join("\n")}
  esac
  local flags=""
  case "$command" in
${commands.map(({ name, flags }) => `    ${name}) flags=${quoted(words(flags).join(" "))} ;;`).join("\n")}
    *) flags=${quoted(words(server?.flags ?? []).join(" "))} ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags --help" -- "$cur"))
    return
  fi
  case "$command" in
    "") COMPREPLY=($(compgen -W ${quoted([...commands.map(({ name }) => name), "help"].join(" "))} -- "$cur")) ;;
${commands.flatMap(argumentCase).join("\n")}
  esac
}

complete -F _skills_mcp skills-mcp
`;
}

function words(flags: readonly DescribedFlag[]): readonly string[] {
  return flags.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);
}

/** Every flag that takes a value, once. */
function valueFlags(commands: readonly DescribedCommand[]): readonly DescribedFlag[] {
  const all = commands.flatMap(({ flags }) => flags.filter(({ kind }) => kind !== undefined));
  return [...new Map(all.map((flag) => [flag.name, flag])).values()];
}

/** What follows a flag. Flags of different commands that take the same are one case. */
function valueCases(commands: readonly DescribedCommand[]): readonly string[] {
  const patterns = new Map<string, string[]>();
  for (const { name, flags } of commands) {
    for (const flag of flags) {
      if (flag.kind === undefined) continue;
      const known = patterns.get(valueAction(flag)) ?? [];
      const own = words([flag]).map((word) => `${name}:${word}`);
      const bare = name === DEFAULT_COMMAND ? words([flag]).map((word) => `:${word}`) : [];
      patterns.set(valueAction(flag), [...known, ...own, ...bare]);
    }
  }
  return Array.from(patterns, ([action, cases]) => `    ${cases.join("|")}) ${action}return ;;`);
}

function valueAction({ kind }: DescribedFlag): string {
  if (kind === "folder") return '_skills_mcp_paths -d "$cur"; ';
  if (kind === "file") return '_skills_mcp_paths -f "$cur"; ';
  if (kind === "text" || kind === undefined) return "";
  return `COMPREPLY=($(compgen -W ${quoted(kind.join(" "))} -- "$cur")); `;
}

function argumentCase({ name, arguments: taken }: DescribedCommand): readonly string[] {
  if (taken === "skills") return [`    ${name}) _skills_mcp_names "$1" list ;;`];
  if (taken === "disabled-skills") return [`    ${name}) _skills_mcp_names "$1" list --disabled ;;`];
  if (taken === "files") return [`    ${name}) _skills_mcp_paths -f "$cur" ;;`];
  if (taken.length === 0) return [];
  return [`    ${name}) COMPREPLY=($(compgen -W ${quoted(taken.join(" "))} -- "$cur")) ;;`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
