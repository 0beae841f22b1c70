import { escapeHiddenCharacters } from "#util/pure";

/** What most names are, and nothing that would have to be replaced. */
const USUAL = /^[A-Za-z0-9_-]+$/;

/** What makes a typed name look like a path, or undefined. A lookup never becomes a path, so these are refused. */
export function pathPartIn(name: string): string | undefined {
  if (name.includes("\0")) return "a NUL character";
  if (name.includes("/")) return "'/'";
  if (name.includes("\\")) return "'\\'";
  if (name.includes("..")) return "'..'";
  return undefined;
}

/**
 * A name from front matter as it can be typed back. `CI/CD helper` could never be loaded, because typed names
 * that contain `/` are refused, so it is served as `CI-CD helper`. An invisible character becomes a visible escape, so that no
 * name looks like another. Empty when nothing readable is left.
 */
export function loadableName(name: string): string {
  if (USUAL.test(name)) return name;
  const oneLine = escapeHiddenCharacters(name.replace(/[\p{Cc}\u2028\u2029]/gu, " "))
    .replace(/\s+/g, " ")
    .trim();
  if (pathPartIn(oneLine) === undefined) return oneLine;
  return trimDashes(oneLine.replace(/(?:\.{2,}|[/\\])+/g, "-"));
}

/** By hand: the pattern `-+$` takes quadratic time on a hostile name. */
function trimDashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "-") start++;
  while (end > start && text[end - 1] === "-") end--;
  return text.slice(start, end).trim();
}

/** The longest name that the Agent Skills specification allows. */
export const LONGEST_NAME = 64;

/** The nearest name that the specification allows: `a-z`, `0-9` and single hyphens. Empty where nothing is left of it. */
export function plainName(name: string): string {
  const parts = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
  return parts.join("-").slice(0, LONGEST_NAME).replace(/-$/, "");
}
