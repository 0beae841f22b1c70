import type { Entry } from "../catalog.ts";
import { cutText } from "../cut-text.ts";
import type { DescriptionFormat, Instructions } from "./formats.ts";

export interface DescribeOptions {
  readonly format: DescriptionFormat;
  /** The most UTF-16 units the whole description may have. */
  readonly budget: number;
  /** Whether the text may point at `find_skills`. */
  readonly finder: boolean;
}

export interface Description {
  readonly text: string;
  /** False as soon as anything had to be shortened or left out: then `find_skills` is wanted. */
  readonly complete: boolean;
  /** How many of the skills are named: always the first ones. */
  readonly shown: number;
}

/** A description cut shorter than this is not useful. */
const SHORTEST_DESCRIPTION = 24;

/**
 * Writes the description of the `skill` tool within its budget. Over it, first the instructions are shortened,
 * then the descriptions, then only names stay, then the instructions are dropped, then the block says how many skills are
 * not shown.
 */
export function fitDescription(entries: readonly Entry[], options: DescribeOptions): Description {
  const whole = write(entries, options, "full", (entry) => entry.skill.description);
  if (whole !== undefined) return { text: whole, complete: true, shown: entries.length };
  const text =
    write(entries, options, "short", (entry) => entry.skill.description) ??
    writeWithCutDescriptions(entries, options) ??
    write(entries, options, "short", () => undefined) ??
    write(entries, options, "least", () => undefined);
  if (text !== undefined) return { text, complete: false, shown: entries.length };
  const { budget, finder } = options;
  const least = writeSomeNames(entries, options) ?? {
    text: writeNoNames(entries.length, budget, finder),
    shown: 0,
  };
  return { ...least, complete: false };
}

/** The whole list in one shape, or undefined as soon as it is over the budget. */
function write(
  entries: readonly Entry[],
  { format, budget, finder }: DescribeOptions,
  instructions: Instructions,
  describe: (entry: Entry) => string | undefined,
): string | undefined {
  const opening = format.opening(instructions, finder);
  let room = budget - opening.length - format.closing.length;
  if (entries.length === 0) room -= format.none.length;
  const parts: string[] = [];
  for (const entry of entries) {
    if (room < 0) return undefined;
    const part = format.entry(entry, describe(entry));
    parts.push(part);
    room -= part.length;
  }
  if (room < 0) return undefined;
  return opening + (entries.length === 0 ? format.none : parts.join("")) + format.closing;
}

/** Every skill with as much of its description as fits, the same limit for all: the longest lose the most. */
function writeWithCutDescriptions(entries: readonly Entry[], options: DescribeOptions): string | undefined {
  const writeCutTo = (limit: number) =>
    write(entries, options, "short", (entry) => cutText(entry.skill.description, limit));
  let best = writeCutTo(SHORTEST_DESCRIPTION);
  if (best === undefined) return undefined;
  let low = SHORTEST_DESCRIPTION;
  let high = entries.reduce((most, entry) => Math.max(most, entry.skill.description.length), 0);
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    const text = writeCutTo(middle);
    if (text === undefined) {
      high = middle;
    } else {
      low = middle;
      best = text;
    }
  }
  return best;
}

/** As many names as fit, and how many more there are; undefined when not even that fits. */
function writeSomeNames(
  entries: readonly Entry[],
  { format, budget, finder }: DescribeOptions,
): { readonly text: string; readonly shown: number } | undefined {
  const opening = format.opening("least", finder);
  // Reserved for the largest count, so that the line fits however many names do.
  const reserved = format.more(entries.length, finder).length;
  let room = budget - opening.length - format.closing.length - reserved;
  if (room < 0 || entries.length === 0) return undefined;
  const parts: string[] = [];
  for (const entry of entries) {
    const part = format.entry(entry, undefined);
    if (part.length > room) break;
    parts.push(part);
    room -= part.length;
  }
  const more = format.more(entries.length - parts.length, finder);
  return { text: opening + parts.join("") + more + format.closing, shown: parts.length };
}

/** Not even the frame of the list fits: one sentence, cut if it must be. */
function writeNoNames(count: number, budget: number, finder: boolean): string {
  const way = finder ? "Find one with find_skills, then l" : "L";
  return cutText(`${way}oad a skill by name (${count} available).`, budget);
}
