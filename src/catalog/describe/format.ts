import type { Entry } from "../catalog.ts";

/** How much of the instructions there is room for. */
export type Instructions = "full" | "short" | "least";

/**
 * One way to write the `skill` tool's description. `fitDescription` decides how much of it there is room for; a
 * format only writes, and every part it returns ends where the next may begin.
 */
export interface DescriptionFormat {
  opening(instructions: Instructions, finder: boolean): string;
  /** One skill with its description, or by name alone. Ends in a line break. */
  entry(entry: Entry, description: string | undefined): string;
  /** The one entry of an empty list. Ends in a line break. */
  readonly none: string;
  /** Says how many skills are not shown and how to find them. Ends in a line break. */
  more(count: number, finder: boolean): string;
  readonly closing: string;
}

/** How an agent reaches a skill that is not shown. */
export function wayToTheRest(finder: boolean): string {
  return finder
    ? "call find_skills with your task to find the right one"
    : "call this tool with a likely name; the answer suggests the nearest ones";
}
