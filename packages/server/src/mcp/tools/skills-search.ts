import { array, int, number, object, strictObject, string } from "zod";
import { catalogContent, SKILL_SUMMARY } from "../answers/catalog-answer.ts";
import { dataFor, defineTool, MESSAGE, NOT_TOO_LONG, READ_ONLY } from "./tool.ts";

/** Finds the skills that contain every word of the query, after a fresh scan. */
export const skillsSearch = defineTool({
  name: "skills.search",
  set: "catalog",
  position: 2,
  title: "Search Skills",
  description: "Search install names, metadata and the full text of skills; all keywords must be present.",
  annotations: READ_ONLY,
  searchHint: "search the full text of skills",
  input: strictObject({
    query: string()
      .min(1, "The query cannot be empty")
      .refine(...NOT_TOO_LONG)
      .describe("Keywords to match (all whitespace-separated tokens must be present)"),
    limit: int().min(1).max(25).default(10).describe("Maximum number of hits"),
  }),
  output: object({
    ...MESSAGE,
    query: string(),
    limit: int(),
    total: int().describe("Number of matching skills; the results are the first of them"),
    results: array(object({ ...SKILL_SUMMARY, score: number(), excerpt: string() })),
  }),
  async handle({ searchAllWords }, wanted, { traits }) {
    const found = await searchAllWords(wanted);
    const { query, total, results } = found;
    const text =
      total === 0
        ? `No skills matched "${query}".`
        : `${results.length} result(s) (${total} total matches) for "${query}".`;
    return { content: catalogContent(text, results), structuredContent: dataFor(traits, { ...found }, text) };
  },
});
