import { escapeHiddenCharacters, findHiddenCharacters } from "#util/pure";
import type { Problem } from "../diagnostic.ts";
import { type Fields, newFields } from "./fields.ts";
import { splitLines } from "./lines.ts";

/** The fields with every hidden character in their values as a visible escape, and what its author is told of it. */
export interface VisibleFields {
  readonly fields: Fields;
  readonly problem?: Problem;
}

/** Lists show these values to models and to people, so neither may see more than the other. */
export function visibleFields(fields: Fields, source: string, firstLine: number): VisibleFields {
  const inSource = findHiddenCharacters(source);
  // A value is a piece of the source, unless YAML's escapes made something else of it.
  if (inSource.length === 0 && !source.includes("\\")) return { fields };
  const seen = { hidden: 0, codePoint: 0 };
  const visible = escapeValues(fields, seen) as Fields;
  const [first] = inSource;
  if (first === undefined && seen.hidden === 0) return { fields };
  const count = Math.max(inSource.length, seen.hidden);
  const line = first && firstLine + splitLines(source.slice(0, first.offset)).length - 1;
  return {
    fields: visible,
    problem: {
      code: "hidden-characters",
      message: `The front matter contains ${hiddenText(count, first?.codePoint ?? seen.codePoint)}.`,
      ...(line === undefined ? {} : { line }),
    },
  };
}

/** `2 hidden characters, such as U+E0041, that models read and people do not see: remove them`. */
export function hiddenText(count: number, codePoint: number): string {
  const example = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  return count === 1
    ? `a hidden character, ${example}, that models read and people do not see: remove it`
    : `${count} hidden characters, such as ${example}, that models read and people do not see: remove them`;
}

/** The very same value where nothing is hidden in it. Keys stay: one with a hidden character is a field that nobody reads. */
function escapeValues(value: unknown, seen: { hidden: number; codePoint: number }): unknown {
  if (typeof value === "string") {
    const found = findHiddenCharacters(value);
    const [first] = found;
    if (first === undefined) return value;
    seen.codePoint ||= first.codePoint;
    seen.hidden += found.length;
    return escapeHiddenCharacters(value);
  }
  if (Array.isArray(value)) return value.map((item) => escapeValues(item, seen));
  if (typeof value !== "object" || value === null) return value;
  const visible = newFields();
  for (const [key, inner] of Object.entries(value)) visible[key] = escapeValues(inner, seen);
  return visible;
}
