import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Catalog } from "#skills";
import { modelEntries } from "#skills";
import type { Refusal } from "#util/pure";
import { cutText, oneLine } from "#util/pure";
import { underscored } from "../definitions/tool-sets.ts";

/** An error message lists at most this many skills. */
const MOST_LISTED = 50;
const LONGEST_DESCRIPTION = 160;

/** A refusal as an answer that the model can act on. `tools` are those it can call. */
export function refusalResult(refusal: Refusal, catalog: Catalog, tools: readonly string[]): CallToolResult {
  return { isError: true, content: [{ type: "text", text: refusalText(refusal, catalog, tools) }] };
}

function refusalText(refusal: Refusal, catalog: Catalog, tools: readonly string[]): string {
  const { detail, message } = refusal;
  if (detail.code !== "unknown-skill") return message;
  const meant = detail.suggestions.length === 0 ? [] : [`Did you mean: ${detail.suggestions.join(", ")}?`];
  return [
    message,
    ...meant,
    `Available skills:\n${availableSkills(catalog, tools)}`,
    "Use the exact skill name (case-insensitive) to load a skill.",
  ].join("\n\n");
}

function availableSkills(catalog: Catalog, tools: readonly string[]): string {
  const entries = modelEntries(catalog);
  if (entries.length === 0) return "- none";
  const shown = entries.slice(0, MOST_LISTED);
  const lines = shown.map(
    ({ listedAs, skill }) => `- ${listedAs}: ${oneLine(cutText(skill.description, LONGEST_DESCRIPTION))}`,
  );
  const more = entries.length - shown.length;
  if (more > 0) lines.push(`- … and ${more} more; ${wayToFind(tools)}`);
  return lines.join("\n");
}

function wayToFind(tools: readonly string[]): string {
  if (tools.includes("find_skills")) return "use find_skills to find the one for a task";
  const search = tools.find((name) => underscored(name) === "skills_search");
  return search === undefined
    ? "a similar name is answered with suggestions"
    : `use ${search} to find them by words`;
}
