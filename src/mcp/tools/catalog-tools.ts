import { boolean, int, strictObject, string } from "zod";
import { dataFor, parseArguments, type Tool } from "./tool.ts";

const LIST_INPUT = strictObject({
  query: string().optional(),
  includeBody: boolean().optional(),
});

/** Lists every SKILL.md below the root, after a fresh scan. */
export const skillsListTool: Tool = {
  name: "skills.list",
  input: LIST_INPUT,
  async call(app, args, { profile }) {
    const { query = "", includeBody = false } = parseArguments("skills.list", LIST_INPUT, args);
    const { skills, under } = await app.listCatalog({ query, includeBody });
    const text = `Found ${skills.length} skill(s) under ${under}`;
    return { content: [{ type: "text", text }], structuredContent: dataFor(profile, { skills }, text) };
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
  async call(app, args, { profile }) {
    const found = await app.searchAllWords(parseArguments("skills.search", SEARCH_INPUT, args));
    const { query, total, results } = found;
    const text =
      total === 0
        ? `No skills matched "${query}".`
        : `${results.length} result(s) (${total} total matches) for "${query}".`;
    return { content: [{ type: "text", text }], structuredContent: dataFor(profile, { ...found }, text) };
  },
};
