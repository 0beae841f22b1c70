import { oneLine } from "../one-line.ts";
import { type DescriptionFormat, wayToTheRest } from "./format.ts";

/** A plain list: fewer tokens, for clients that do not care for XML. */
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
