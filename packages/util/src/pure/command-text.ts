/** What a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A `skills-mcp` command as people type it in a POSIX shell. */
export function commandText(args: readonly string[]): string {
  return ["skills-mcp", ...args.map(quoted)].join(" ");
}

function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
