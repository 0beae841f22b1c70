/** What a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A command as people type it in a shell: of `skills-mcp`, unless another program is named. */
export function commandText(args: readonly string[], program: readonly string[] = ["skills-mcp"]): string {
  return [...program, ...args].map(quoted).join(" ");
}

function quoted(text: string): string {
  // On Windows no shell needs backslashes, and the oldest knows no other quotes.
  const word = /^[a-z]:\\/i.test(text) ? text.replaceAll("\\", "/") : text;
  if (PLAIN.test(word)) return word;
  return word === text ? `'${text.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
