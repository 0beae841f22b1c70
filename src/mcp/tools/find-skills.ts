import { int, strictObject, string } from "zod";
import type { SearchResult } from "../../app/search/search-skills.ts";
import { dataFor, parseArguments, type Tool } from "./tool.ts";

const NAME = "find_skills";

const INPUT = strictObject({
  task: string().min(1, "The task cannot be empty"),
  limit: int().min(1).max(25).default(5),
});

/** Finds skills for a task among all that are served; needed when they do not fit the `skill` description. */
export const findSkillsTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args, { profile }) {
    const { task, limit } = parseArguments(NAME, INPUT, args);
    const found = await app.search(task, limit, "models");
    if (found.verdict === "no_match") app.record("no_match", { context: task, via: NAME });
    const message = messageFor(found);
    const text = [message, ...found.results.map(lineFor)].join("\n");
    return {
      content: [{ type: "text", text }],
      structuredContent: dataFor(profile, { ...found }, message + wayToLoad(found)),
    };
  },
};

function messageFor({ task, total, results, verdict }: SearchResult): string {
  if (results.length === 0)
    return `No skill matches "${task}". Continue without a skill, or try other words.`;
  if (verdict === "no_match")
    return `No skill clearly matches "${task}". The closest ones, which may not help:`;
  return `${results.length} of ${total} skills that may match, best first:`;
}

/** In the text, the line of a skill says it. */
function wayToLoad({ results }: SearchResult): string {
  const isOfLibrary = results.some(({ skill_path }) => skill_path !== undefined);
  return isOfLibrary ? " Load those with a skill_path with get_skill." : "";
}

function lineFor({ name, skill_path, description }: SearchResult["results"][number]): string {
  return skill_path === undefined ? `- ${name}: ${description}` : `- ${name} (get_skill): ${description}`;
}
