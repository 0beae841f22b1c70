import { int, strictObject, string } from "zod";
import { inputSchemaOf, parseArguments } from "../arguments.ts";
import type { Tool } from "../tool.ts";

const NAME = "find_skills";
const DEFAULT_LIMIT = 5;

const INPUT = strictObject({
  task: string().min(1, "The task cannot be empty").describe("What you want to do, in a few words"),
  limit: int().min(1).max(25).default(DEFAULT_LIMIT).describe("Maximum number of skills"),
});

/** Finds skills for a task among all that are served; wanted when they do not fit the `skill` description. */
export const findSkillsTool: Tool = {
  name: NAME,
  guidance: "When `find_skills` is offered, use it to search all skills by task.",
  definition: ({ snapshot }) => ({
    name: NAME,
    title: "Find Skills",
    description: `Find the skills that fit a task, among all ${snapshot.catalog.entries.length} available. Load the one you choose with the skill tool.`,
    inputSchema: inputSchemaOf(INPUT),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }),
  async call(app, args) {
    const { task, limit } = parseArguments(NAME, INPUT, args);
    const found = await app.search(task, limit);
    const lines = found.results.map((result) => `- ${result.name}: ${result.description}`);
    const text =
      found.total === 0
        ? `No skill fits "${task}". Try other words, or go on without a skill.`
        : `${found.results.length} of ${found.total} skills that may fit, best first:\n${lines.join("\n")}`;
    return { content: [{ type: "text", text }], structuredContent: { ...found } };
  },
};
