import { cutText, oneLine } from "#util/pure";

interface Described {
  readonly name: string;
  readonly description: string;
}

const LONGEST_TEXT = 20_000;
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 1_024;
/** Characters for the line that says how many skills are missing. */
const ROOM_FOR_REST = 40;

/** Names and descriptions, one skill a line, for models whose client shows them text alone; undefined for no skills. */
export function skillLines(skills: readonly Described[]): string | undefined {
  if (skills.length === 0) return undefined;
  const lines: string[] = [];
  let length = 0;
  for (const skill of skills) {
    const line = lineOf(skill);
    length += line.length + 1;
    if (length > LONGEST_TEXT - ROOM_FOR_REST) break;
    lines.push(line);
  }
  const rest = skills.length - lines.length;
  return [...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n");
}

function lineOf({ name, description }: Described): string {
  const shown = oneLine(cutText(description, LONGEST_DESCRIPTION)).replace(/\s+/g, " ").trim();
  return `- ${oneLine(cutText(name, LONGEST_NAME))}: ${shown}`;
}
