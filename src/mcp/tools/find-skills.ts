import { int, strictObject, string } from "zod";
import type { SearchResult } from "../../app/search-skills.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { inputSchemaOf, parseArguments } from "../arguments.ts";
import { FIND_SKILLS } from "../output/skill-answers.ts";
import { READ_ONLY } from "../read-only.ts";
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
  definition: ({ snapshot }) => ({
    name: NAME,
    title: "Find Skills",
    description: `Find the skills that fit a task, among all ${snapshot.catalog.entries.length + snapshot.library.skills.size} available. ${howToLoad(snapshot)}`,
    inputSchema: inputSchemaOf(INPUT),
    outputSchema: FIND_SKILLS,
    annotations: READ_ONLY,
  }),
  async call(app, args) {
    const { task, limit } = parseArguments(NAME, INPUT, args);
    const found = await app.search(task, limit);
    return { content: [{ type: "text", text: answerText(found) }], structuredContent: { ...found } };
  },
};

function howToLoad({ library }: Snapshot): string {
  const skill = "Load the one you choose with the skill tool";
  return library.skills.size === 0 ? `${skill}.` : `${skill}, or with get_skill where it has a skill_path.`;
}

function answerText({ task, total, results, verdict }: SearchResult): string {
  if (results.length === 0) return `No skill fits "${task}". Go on without a skill, or try other words.`;
  const lines = results
    .map(({ name, skill_path, description }) =>
      skill_path === undefined ? `- ${name}: ${description}` : `- ${name} (get_skill): ${description}`,
    )
    .join("\n");
  if (verdict === "no_match")
    return `No skill clearly fits "${task}". The nearest, which may well not help:\n${lines}`;
  return `${results.length} of ${total} skills that may fit, best first:\n${lines}`;
}
