import { int, strictObject, string } from "zod";
import type { Tool } from "./tool.ts";
import { parseArguments } from "./tool.ts";

const NAME = "skills.search";

const INPUT = strictObject({
  query: string().min(1, "The query cannot be empty"),
  limit: int().min(1).max(25).default(10),
});

/** Every word must be in the skill, as the disk is at this moment. */
export const skillsSearchTool: Tool = {
  name: NAME,
  input: INPUT,
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
