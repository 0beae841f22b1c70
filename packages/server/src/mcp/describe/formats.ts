import type { Entry } from "#skills";
import { oneLine } from "#util/pure";

/** How the `skill` tool's description is written where every skill fits whole. Every part ends where the next may begin. */
export interface ListFormat {
  readonly opening: string;
  /** Ends in a line break. */
  entry(entry: Entry): string;
  /** The one entry of an empty list. Ends in a line break. */
  readonly none: string;
  readonly closing: string;
}

/** A plain list: fewer tokens, for clients that do not need XML. */
export const listFormat: ListFormat = {
  opening: "Load a skill by name to get specialized instructions.\n\nAvailable skills:\n",
  entry: (entry) => `${line(entry, entry.skill.description)}\n`,
  none: "- none: No skills discovered\n",
  closing: "",
};

/** One skill with as much of its description as there is room for. */
export function line({ listedAs }: Entry, description: string): string {
  return `- ${oneLine(listedAs)}: ${oneLine(description)}`;
}

/** The text that models were trained on with other hosts; its wording, message and examples are part of the specification. */
const INSTRUCTIONS = `Execute a skill within the main conversation

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

/** The block that hosts and models already know. Every value is escaped, so N skills parse as N. */
export const xmlFormat: ListFormat = {
  opening: `${INSTRUCTIONS}\n<available_skills>\n`,
  entry(entry) {
    const { listedAs, skill } = entry;
    const location = skill.location === "user" ? "global" : skill.location;
    return `<skill>\n<name>${escapeXml(listedAs)}</name>\n<description>${escapeXml(skill.description)}</description>\n<location>${location}</location>\n</skill>\n`;
  },
  none: "<skill>\n<name>none</name>\n<description>No skills discovered</description>\n<location>none</location>\n</skill>\n",
  closing: "</available_skills>",
};

/** Control characters are not allowed in XML at all, so they become spaces. */
function escapeXml(text: string): string {
  return text
    .replace(/\p{Cc}/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
