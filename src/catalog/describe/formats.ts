import type { Entry } from "../catalog.ts";
import { oneLine } from "../cut-text.ts";

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
function wayToTheRest(finder: boolean): string {
  return finder
    ? "call find_skills with your task to find the right one"
    : "call this tool with a likely name; the answer suggests the nearest ones";
}

/** A plain list: fewer tokens, for clients that do not need XML. */
export const listFormat: DescriptionFormat = {
  opening(instructions, finder) {
    const search = instructions !== "full" && finder ? " find_skills searches all skills by task." : "";
    if (instructions === "least") return `Load a skill by name.${search}\n\nAvailable skills:\n`;
    return `Load a skill by name to get specialized instructions.${search}\n\nAvailable skills:\n`;
  },
  entry: (entry, description) =>
    description === undefined
      ? `- ${oneLine(entry.listedAs)}\n`
      : `- ${oneLine(entry.listedAs)}: ${oneLine(description)}\n`,
  none: "- none: No skills discovered\n",
  more: (count, finder) => `- … and ${count} more: ${wayToTheRest(finder)}\n`,
  closing: "",
};

const FULL = `Execute a skill within the main conversation

<skills_instructions>
When users ask you to perform tasks, check if any of the available skills below can help complete the task more effectively. Skills provide specialized capabilities and domain knowledge.

How to use skills:
- Invoke skills using this tool with the skill name only (no arguments)
- When you invoke a skill, you will see <command-message>The "{name}" skill is loading</command-message>
- The skill's prompt will expand and provide detailed instructions on how to complete the task
- Examples:
  - \`name: "pdf"\` - invoke the pdf skill
  - \`name: "xlsx"\` - invoke the xlsx skill
  - \`name: "ms-office-suite:pdf"\` - invoke using fully qualified name

Important:
- Only use skills listed in <available_skills> below
- Do not invoke a skill that is already running
- Do not use this tool for built-in CLI commands (like /help, /clear, etc.)

Discovery:
- Skills are found in the project, in the user's home folder and in installed plugins, and listed by the name that loads them
- The list follows the disk: skills that are added, changed or removed show up without a restart
- Files that a skill mentions are relative to the base directory in the answer
</skills_instructions>
`;

const SHORT = `Execute a skill within the main conversation. Skills provide specialized capabilities and domain knowledge.

<skills_instructions>
Check if a skill below fits the task; load it with its name only, e.g. \`name: "pdf"\`, and follow what it says.`;

/** The block that hosts and models already know. Every value is escaped, so N skills parse as N. */
export const xmlFormat: DescriptionFormat = {
  opening(instructions, finder) {
    if (instructions === "full") return `${FULL}\n<available_skills>\n`;
    const search = finder ? " find_skills searches all skills by task." : "";
    if (instructions === "least") return `Load a skill by name.${search}\n\n<available_skills>\n`;
    return `${SHORT}${search}\n</skills_instructions>\n\n<available_skills>\n`;
  },
  entry(entry, description) {
    const name = escapeXml(entry.listedAs);
    if (description === undefined) return `<skill><name>${name}</name></skill>\n`;
    return `<skill>\n<name>${name}</name>\n<description>${escapeXml(description)}</description>\n<location>${locationOf(entry)}</location>\n</skill>\n`;
  },
  none: "<skill>\n<name>none</name>\n<description>No skills discovered</description>\n<location>none</location>\n</skill>\n",
  more: (count, finder) =>
    `<more>${count} more ${count === 1 ? "skill is" : "skills are"} not shown: ${wayToTheRest(finder)}</more>\n`,
  closing: "</available_skills>",
};

function locationOf(entry: Entry): string {
  return entry.skill.location === "user" ? "global" : entry.skill.location;
}

/** Control characters are not allowed in XML at all, so they become spaces. */
function escapeXml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
