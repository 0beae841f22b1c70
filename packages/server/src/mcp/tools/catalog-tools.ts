import type { CallToolResult } from "@modelcontextprotocol/server";
import { boolean, int, strictObject, string } from "zod";
import type { CatalogList } from "#skills";
import { skillLines } from "./skill-lines.ts";
import { dataFor, parseArguments, type Tool } from "./tool.ts";

const LIST_INPUT = strictObject({
  query: string().optional(),
  includeBody: boolean().optional(),
});

/** Lists every SKILL.md below the root, after a fresh scan. */
export const skillsListTool: Tool = {
  name: "skills.list",
  input: LIST_INPUT,
  async call(app, args, { traits }) {
    const { query = "", includeBody = false } = parseArguments("skills.list", LIST_INPUT, args);
    const { skills, under } = await app.listCatalog({ query, includeBody });
    const text = `Found ${skills.length} skill(s) under ${under}`;
    return { content: contentOf(text, skills), structuredContent: dataFor(traits, { skills }, text) };
  },
};

const SEARCH_INPUT = strictObject({
  query: string().min(1, "The query cannot be empty"),
  limit: int().min(1).max(25).default(10),
});

/** Finds the skills that contain every word of the query, after a fresh scan. */
export const skillsSearchTool: Tool = {
  name: "skills.search",
  input: SEARCH_INPUT,
  async call(app, args, { traits }) {
    const found = await app.searchAllWords(parseArguments("skills.search", SEARCH_INPUT, args));
    const { query, total, results } = found;
    const text =
      total === 0
        ? `No skills matched "${query}".`
        : `${results.length} result(s) (${total} total matches) for "${query}".`;
    return { content: contentOf(text, results), structuredContent: dataFor(traits, { ...found }, text) };
  },
};

/** The summary, and then what it counts: not every client shows a model the structured content. */
function contentOf(summary: string, skills: CatalogList["skills"]): CallToolResult["content"] {
  const lines = skillLines(skills.map(({ meta }) => meta));
  return [summary, lines].flatMap((text) => (text === undefined ? [] : [{ type: "text" as const, text }]));
}
