import { boolean, strictObject, string } from "zod";
import { inputSchemaOf, parseArguments } from "../arguments.ts";
import { SKILLS_LIST } from "../output/skill-answers.ts";
import { READ_ONLY } from "../read-only.ts";
import type { Tool } from "../tool.ts";

const NAME = "skills.list";

const INPUT = strictObject({
  query: string()
    .optional()
    .describe("Optional substring filter applied to install name, meta.name, or description"),
  includeBody: boolean()
    .optional()
    .describe("Include the SKILL.md body (minus YAML front-matter) in the structured payload"),
});

/** Every SKILL.md below the root, as the disk is at this moment. */
export const skillsListTool: Tool = {
  name: NAME,
  definition: () => ({
    name: NAME,
    title: "List Skills",
    description:
      "List every skill with its metadata, optionally filtered by a substring and with the full text.",
    inputSchema: inputSchemaOf(INPUT),
    outputSchema: SKILLS_LIST,
    annotations: READ_ONLY,
  }),
  async call(app, args) {
    const { query = "", includeBody = false } = parseArguments(NAME, INPUT, args);
    const { skills, under } = await app.listCatalog({ query, includeBody });
    const text = `Found ${skills.length} skill(s) under ${under}`;
    return { content: [{ type: "text", text }], structuredContent: { skills } };
  },
};
