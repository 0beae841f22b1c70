import type { ConfigEntry } from "./document.ts";
import { isSame } from "./values.ts";

/** Some lines of an entry: one key with its value, or comments and blank lines between them. */
export interface Statement {
  /** Undefined for comments and blank lines. */
  readonly key: string | undefined;
  readonly lines: readonly string[];
}

interface StatementFormat {
  /** A key with a value, as one line. */
  print(key: string, value: unknown): string;
  /** The comment at the end of a line with its blanks, or "". */
  commentOf(line: string): string;
}

/**
 * The lines of an entry with new values: statements whose value stays are not touched, and a comment at the end of a changed
 * line stays there. New keys come after the last one.
 */
export function updateStatements(
  statements: readonly Statement[],
  [old, entry]: readonly [ConfigEntry, ConfigEntry],
  { print, commentOf }: StatementFormat,
): readonly string[] {
  const written = statements.flatMap(({ key, lines }): readonly string[] => {
    if (key === undefined) return lines;
    if (!Object.hasOwn(entry, key)) return [];
    if (isSame(old[key], entry[key])) return lines;
    const [line = ""] = lines;
    return [`${print(key, entry[key])}${lines.length === 1 ? commentOf(line) : ""}`];
  });
  const known = new Set(statements.map(({ key }) => key));
  const added = Object.entries(entry).filter(([key]) => !known.has(key));
  return [...written, ...added.map(([key, value]) => print(key, value))];
}
