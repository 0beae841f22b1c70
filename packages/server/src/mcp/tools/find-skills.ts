import { boolean, int, strictObject, string } from "zod";
import type { FoundSkill, SearchResult } from "#search";
import type { App } from "../../create-app.ts";
import { showSkill } from "./skill-header.ts";
import { skillPage } from "./skill-page.ts";
import { dataFor, parseArguments, type Tool, type ToolCall } from "./tool.ts";

const NAME = "find_skills";

const INPUT = strictObject({
  task: string().min(1, "The task cannot be empty"),
  limit: int().min(1).max(25).default(5),
  load: boolean().default(false),
});

/** Finds skills for a task among all that are served; needed when they do not fit the `skill` description. */
export const findSkillsTool: Tool = {
  name: NAME,
  input: INPUT,
  async call(app, args, call) {
    const { task, limit, load } = parseArguments(NAME, INPUT, args);
    const found = await app.search(task, limit, "models");
    if (found.verdict === "no_match") app.record("no_match", { context: task, via: NAME });
    else
      app.record("skills_found", {
        skills: found.results.map(({ name, skill_path }) => skill_path ?? name),
        via: NAME,
      });
    const loaded = load ? await loadBest(app, found, call) : undefined;
    const message = messageFor(found);
    const lines = [message, ...found.results.map(lineFor), ...found.nearest.map(lineFor)];
    const content = loaded === undefined ? [] : [`\n${loaded.content}`];
    return {
      content: [{ type: "text", text: [...lines, ...content].join("\n") }],
      structuredContent: dataFor(
        call.traits,
        loaded === undefined ? { ...found } : { ...found, loaded },
        message + wayToLoad(found),
      ),
    };
  },
};

/** What the `skill` tool answers for the first result, if that is a clear match. A library skill is for `get_skill` to load. */
async function loadBest(
  app: App,
  { results: [best], verdict }: SearchResult,
  { traits, isRemote }: ToolCall,
): Promise<{ readonly name: string; readonly content: string } | undefined> {
  if (best === undefined || verdict !== "match" || best.skill_path !== undefined) return undefined;
  const [page] = skillPage(await showSkill(app, best.name, isRemote), 0, traits.answerLimit).content;
  if (page?.type !== "text") return undefined;
  app.record("skill_served", { skill_path: best.name, via: "skill" });
  return { name: best.name, content: page.text };
}

function messageFor({ task, total, results, nearest }: SearchResult): string {
  if (results.length > 0) return `${results.length} of ${total} skills that may match, best first:`;
  const none = `Nothing fits "${task}" well. Continue without a skill, or try other words.`;
  return nearest.length === 0 ? none : `${none} The nearest, which may not help:`;
}

/** In the text, the line of a skill says it. */
function wayToLoad({ results, nearest }: SearchResult): string {
  const isOfLibrary = [...results, ...nearest].some(({ skill_path }) => skill_path !== undefined);
  return isOfLibrary ? " Load those with a skill_path with get_skill." : "";
}

function lineFor({ name, skill_path, description, copies }: FoundSkill): string {
  const others = copies === undefined ? "" : ` (copies: ${copies.join(", ")})`;
  return `- ${name}${skill_path === undefined ? "" : " (get_skill)"}: ${description}${others}`;
}
