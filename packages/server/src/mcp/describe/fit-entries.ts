import type { Entry } from "#skills";
import { cutText, oneLine } from "#util/pure";
import { line } from "./formats.ts";
import { skipOpening } from "./skip-opening.ts";

/** The skills of one text, and how many they are. */
interface FilledText {
  readonly text: string;
  readonly count: number;
}

interface FittedEntries {
  /** One for each size. */
  readonly filled: readonly FilledText[];
  /** Whether every description is there, and none is cut. */
  readonly isWhole: boolean;
}

/** A description cut shorter than this is not useful. */
const SHORTEST_DESCRIPTION = 24;

/** What separates the names that follow skills with a description from them. */
const NAMES_ONLY = "Also: ";

/**
 * Writes every skill once into texts of these sizes: all names if they fit, then descriptions, cut to one length that is as
 * large as possible. If that length would be too small, only the first skills have a description. Undefined when not all
 * names fit. The first ones have their whole description if the operator always wants it, the last ones none if a rule says so.
 */
export function fitEntries(entries: readonly Entry[], sizes: readonly number[]): FittedEntries | undefined {
  const pinned = pinnedIn(entries, sizes);
  const attempt = (described: number, limit: number): readonly FilledText[] | undefined =>
    fill(entries, sizes, { pinned, described, limit });
  if (attempt(0, 0) === undefined) return undefined;
  const all = entries.filter(({ rule }) => rule !== "name-only").length;
  const longest = entries.reduce((most, { skill }) => Math.max(most, skill.description.length), 0);
  const layout = (described: number, limit: number): FittedEntries => ({
    filled: attempt(described, limit) ?? [],
    isWhole: described === entries.length && limit === longest,
  });
  if (attempt(all, longest) !== undefined) return layout(all, longest);
  if (attempt(all, SHORTEST_DESCRIPTION) !== undefined) {
    const limit = largest(SHORTEST_DESCRIPTION, longest, (limit) => attempt(all, limit) !== undefined);
    return layout(all, limit);
  }
  const described = largest(0, all, (count) => attempt(count, SHORTEST_DESCRIPTION) !== undefined);
  return layout(described, SHORTEST_DESCRIPTION);
}

/** As many names as fit, `reserved` characters of the last text left free. */
export function fitNames(
  entries: readonly Entry[],
  sizes: readonly number[],
  reserved: number,
): readonly FilledText[] {
  const left = sizes.map((size, index) => (index === sizes.length - 1 ? size - reserved : size));
  return place(entries, left, { pinned: pinnedIn(entries, left), described: 0, limit: 0 });
}

/** How many of the skills that come first with their whole description have room for it. */
function pinnedIn(entries: readonly Entry[], sizes: readonly number[]): number {
  const wanted = entries.findIndex(({ rule }) => rule !== "always");
  const first = entries.slice(0, wanted < 0 ? entries.length : wanted);
  const amount = { pinned: first.length, described: 0, limit: 0 };
  return first.length === 0 ? 0 : place(first, sizes, amount).reduce((sum, { count }) => sum + count, 0);
}

/** What `…` counts as: one client writes it as three dots, and models count it as about as much. */
export const ELLIPSIS_COST = 3;

/** The characters that a text counts as. */
export function costOf(text: string): number {
  return text.length + (ELLIPSIS_COST - 1) * (text.split("…").length - 1);
}

interface Amount {
  /** How many skills have their whole description, whatever the limit is. */
  readonly pinned: number;
  readonly described: number;
  readonly limit: number;
}

function fill(
  entries: readonly Entry[],
  sizes: readonly number[],
  amount: Amount,
): readonly FilledText[] | undefined {
  const filled = place(entries, sizes, amount);
  return filled.reduce((sum, { count }) => sum + count, 0) === entries.length ? filled : undefined;
}

/** Fills one text after the other, in order, until a skill fits into none. */
function place(entries: readonly Entry[], sizes: readonly number[], amount: Amount): readonly FilledText[] {
  const { pinned, described, limit } = amount;
  const hasLines = described > 0 || pinned > 0;
  let next = 0;
  return sizes.map((size) => {
    const start = next;
    const lines: string[] = [];
    const names: string[] = [];
    let left = size;
    for (let entry = entries[next]; entry !== undefined; entry = entries[++next]) {
      const isPinned = next < pinned;
      const whole = isPinned || next < described;
      const { description } = entry.skill;
      const text = whole
        ? line(entry, isPinned ? description : shortened(description, limit))
        : oneLine(entry.listedAs);
      // A line break after each line, and one after all names.
      const before = whole || names.length > 0 ? 0 : hasLines ? NAMES_ONLY.length : 0;
      const separator = whole || names.length === 0 ? 1 : 2;
      const cost = costOf(text) + before + separator;
      if (cost > left) break;
      left -= cost;
      (whole ? lines : names).push(text);
    }
    if (names.length > 0) lines.push(`${hasLines ? NAMES_ONLY : ""}${names.join(", ")}`);
    return { text: lines.map((text) => `${text}\n`).join(""), count: next - start };
  });
}

/** What has to be cut begins with what the skill does: an opening that many share would take the room of it. */
function shortened(description: string, limit: number): string {
  return description.length <= limit ? description : cutText(skipOpening(description), limit);
}

/** The largest number from `least`, for which it is true, to `most`, for which it is not. */
function largest(least: number, most: number, isTrue: (value: number) => boolean): number {
  let low = least;
  let high = most;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (isTrue(middle)) low = middle;
    else high = middle;
  }
  return low;
}
