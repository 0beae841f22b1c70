import { int, strictObject, string } from "zod";
import { inputSchemaOf, parseArguments } from "../arguments.ts";
import { SKILLS_SEARCH } from "../output/skill-answers.ts";
import { READ_ONLY } from "../read-only.ts";
import type { Tool } from "../tool.ts";

const NAME = "skills.search";

const INPUT = strictObject({
  query: string()
    .min(1, "The query cannot be empty")
    .describe("Keywords to match (all whitespace-separated tokens must be present)"),
  limit: int().min(1).max(25).default(10).describe("Maximum number of hits"),
});

/** Every word must be in the skill, as the disk is at this moment. */
export const skillsSearchTool: Tool = {
  name: NAME,
  definition: () => ({
    name: NAME,
    title: "Search Skills",
    description:
      "Search install names, metadata and the full text of skills for keywords; all of them must be present.",
    inputSchema: inputSchemaOf(INPUT),
    outputSchema: SKILLS_SEARCH,
    annotations: READ_ONLY,
  }),
  async call(app, args) {
    const found = await app.searchAllWords(parseArguments(NAME, INPUT, args));
    const { query, total, results } = found;
    const text =
      total === 0
        ? `No skills matched "${query}".`
        : `${results.length} result(s) (${total} total matches) for "${query}".`;
    return { content: [{ type: "text", text }], structuredContent: { ...found } };
  },
};
