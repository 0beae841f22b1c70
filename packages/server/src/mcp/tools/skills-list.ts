import { array, boolean, object, strictObject, string } from "zod";
import { catalogContent, SKILL_SUMMARY } from "../answers/catalog-answer.ts";
import { dataFor, defineTool, MESSAGE, NOT_TOO_LONG, READ_ONLY } from "./tool.ts";

/** Lists every SKILL.md below the root, after a fresh scan. */
export const skillsList = defineTool({
  name: "skills.list",
  set: "catalog",
  position: 1,
  title: "List Skills",
  description:
    "List every skill with its metadata, optionally filtered by a substring and with the full text.",
  annotations: READ_ONLY,
  searchHint: "list all skills",
  largeAnswers: true,
  input: strictObject({
    query: string()
      .refine(...NOT_TOO_LONG)
      .optional()
      .describe("Optional substring filter applied to install name, meta.name, or description"),
    includeBody: boolean()
      .optional()
      .describe("Include the SKILL.md body (minus YAML front-matter) in the structured payload"),
  }),
  output: object({
    ...MESSAGE,
    skills: array(
      object({ ...SKILL_SUMMARY, body: string().optional().describe("The text after the front matter") }),
    ),
  }),
  async handle({ listCatalog }, { query = "", includeBody = false }, { traits }) {
    const { skills, under } = await listCatalog({ query, includeBody });
    const text = `Found ${skills.length} skill(s) under ${under}`;
    return { content: catalogContent(text, skills), structuredContent: dataFor(traits, { skills }, text) };
  },
});
