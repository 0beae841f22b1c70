import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Catalog } from "../catalog/catalog.ts";
import { cutText } from "../catalog/cut-text.ts";
import type { Refusal } from "../skill/refusal.ts";

/** A list of skills in an error is a reminder, not a catalogue. */
const MOST_LISTED = 50;
const LONGEST_DESCRIPTION = 160;

/** A request that cannot be met, as an answer the model can act on. */
export function refusalResult(refusal: Refusal, catalog: Catalog): CallToolResult {
  return { isError: true, content: [{ type: "text", text: refusalText(refusal, catalog) }] };
}

function refusalText(refusal: Refusal, catalog: Catalog): string {
  const { detail, message } = refusal;
  if (detail.code !== "unknown-skill") return message;
  const meant = detail.suggestions.length === 0 ? [] : [`Did you mean: ${detail.suggestions.join(", ")}?`];
  return [
    message,
    ...meant,
    `Available skills:\n${availableSkills(catalog)}`,
    "Use the exact skill name (case-insensitive) to load a skill.",
  ].join("\n\n");
}

function availableSkills(catalog: Catalog): string {
  if (catalog.entries.length === 0) return "- none";
  const shown = catalog.entries.slice(0, MOST_LISTED);
  const lines = shown.map(
    (entry) => `- ${entry.listedAs}: ${cutText(entry.skill.description, LONGEST_DESCRIPTION)}`,
  );
  const more = catalog.entries.length - shown.length;
  if (more > 0) lines.push(`- … and ${more} more; find_skills finds the one for a task`);
  return lines.join("\n");
}
