import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Catalog } from "../../catalog/catalog.ts";
import { cutText, oneLine } from "../../catalog/cut-text.ts";
import type { Refusal } from "../../skill/refusal.ts";
import { underscored } from "../definitions/underscored.ts";

/** A list of skills in an error is a reminder, not a catalogue. */
const MOST_LISTED = 50;
const LONGEST_DESCRIPTION = 160;

/** A request that cannot be met, as an answer the model can act on. `offered` are the tools it has. */
export function refusalResult(
  refusal: Refusal,
  catalog: Catalog,
  offered: readonly string[],
): CallToolResult {
  return { isError: true, content: [{ type: "text", text: refusalText(refusal, catalog, offered) }] };
}

function refusalText(refusal: Refusal, catalog: Catalog, offered: readonly string[]): string {
  const { detail, message } = refusal;
  if (detail.code !== "unknown-skill") return message;
  const meant = detail.suggestions.length === 0 ? [] : [`Did you mean: ${detail.suggestions.join(", ")}?`];
  return [
    message,
    ...meant,
    `Available skills:\n${availableSkills(catalog, offered)}`,
    "Use the exact skill name (case-insensitive) to load a skill.",
  ].join("\n\n");
}

function availableSkills(catalog: Catalog, offered: readonly string[]): string {
  if (catalog.entries.length === 0) return "- none";
  const shown = catalog.entries.slice(0, MOST_LISTED);
  const lines = shown.map(
    ({ listedAs, skill }) => `- ${listedAs}: ${oneLine(cutText(skill.description, LONGEST_DESCRIPTION))}`,
  );
  const more = catalog.entries.length - shown.length;
  if (more > 0) lines.push(`- … and ${more} more; ${wayToFind(offered)}`);
  return lines.join("\n");
}

function wayToFind(offered: readonly string[]): string {
  if (offered.includes("find_skills")) return "find_skills finds the one for a task";
  const search = offered.find((name) => underscored(name) === "skills_search");
  return search === undefined
    ? "a name that is nearly right is met with the nearest"
    : `${search} finds them by words`;
}
