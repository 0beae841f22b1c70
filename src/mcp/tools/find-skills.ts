import { int, strictObject, string } from "zod";
import type { SearchResult } from "../../app/search/search-skills.ts";
import { parseArguments, type Tool } from "./tool.ts";

const NAME = "find_skills";

const INPUT = strictObject({
  task: string().min(1, "The task cannot be empty"),
  limit: int().min(1).max(25).default(5),
});

/** Finds skills for a task among all that are served; needed when they do not fit the `skill` description. */
export const findSkillsTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args) {
    const { task, limit } = parseArguments(NAME, INPUT, args);
    const found = await app.search(task, limit, "models");
    if (found.verdict === "no_match") app.record("no_match", { context: task, via: NAME });
    return { content: [{ type: "text", text: answerText(found) }], structuredContent: { ...found } };
  },
};

function answerText({ task, total, results, verdict }: SearchResult): string {
  if (results.length === 0)
    return `No skill matches "${task}". Continue without a skill, or try other words.`;
  const lines = results
    .map(({ name, skill_path, description }) =>
      skill_path === undefined ? `- ${name}: ${description}` : `- ${name} (get_skill): ${description}`,
    )
    .join("\n");
  if (verdict === "no_match")
    return `No skill clearly matches "${task}". The closest ones, which may not help:\n${lines}`;
  return `${results.length} of ${total} skills that may match, best first:\n${lines}`;
}
