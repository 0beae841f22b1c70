import { boolean, strictObject, string } from "zod";
import type { Tool } from "./tool.ts";
import { parseArguments } from "./tool.ts";

const NAME = "skills.list";

const INPUT = strictObject({
  query: string().optional(),
  includeBody: boolean().optional(),
});

/** Every SKILL.md below the root, as the disk is at this moment. */
export const skillsListTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args) {
    const { query = "", includeBody = false } = parseArguments(NAME, INPUT, args);
    const { skills, under } = await app.listCatalog({ query, includeBody });
    const text = `Found ${skills.length} skill(s) under ${under}`;
    return { content: [{ type: "text", text }], structuredContent: { skills } };
  },
};
