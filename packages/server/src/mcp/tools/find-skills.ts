import { array, boolean, int, literal, number, object, strictObject, string } from "zod";
import type { FoundSkill, SearchResult } from "#search";
import { showSkill } from "../answers/skill-header.ts";
import { skillPage } from "../answers/skill-page.ts";
import {
  dataFor,
  defineTool,
  LONGEST_TASK,
  MESSAGE,
  READ_ONLY,
  type ToolCall,
  type ToolServices,
} from "./tool.ts";

const NAME = "find_skills";

const FOUND_SKILL = object({
  name: string().describe("What the skill tool loads"),
  description: string(),
  provider: string(),
  location: literal(["project", "user", "repo", "plugin"]),
  skillPath: string(),
  skill_path: string().optional().describe("For a library skill: what get_skill takes"),
  score: number(),
  matched: array(string()),
  excerpt: string(),
  copies: array(string()).optional().describe("The names of copies and forks of the skill"),
});

/** Finds skills for a task among all that are served; needed when they do not fit the `skill` description. */
export const findSkills = defineTool({
  name: NAME,
  set: "finder",
  position: 1,
  listedWhen: "list-cut",
  alwaysLoad: "list-cut",
  title: "Find Skills",
  description:
    "Find the skills that match a task, among all {count} available. Load the one you choose with the skill tool{orGetSkill}.",
  annotations: READ_ONLY,
  searchHint: "find, search, choose a skill for a task",
  input: strictObject({
    task: string()
      .min(1, "The task cannot be empty")
      .max(LONGEST_TASK)
      .describe("What you want to do, in a few words"),
    limit: int().min(1).max(25).default(5).describe("Maximum number of skills"),
    load: boolean()
      .default(false)
      .describe("Also load the best skill, when it clearly matches: then do not call the skill tool for it"),
  }),
  output: object({
    ...MESSAGE,
    task: string(),
    total: int().describe("Number of skills that fit; the results are the best of them"),
    results: array(FOUND_SKILL).describe("Empty when no skill fits"),
    nearest: array(FOUND_SKILL).describe("When no skill fits: the nearest, which may not help"),
    confidence: number().describe("Likelihood that the first result is the right one, from 0 to 1"),
    verdict: literal(["match", "ambiguous", "no_match"]),
    loaded: object({ name: string(), content: string() })
      .optional()
      .describe("With load: the answer of the skill tool for the first result, when the verdict is match"),
  }),
  async handle({ search, snapshotWith, record }, { task, limit, load }, call) {
    const found = await search(task, limit, "models");
    if (found.verdict === "no_match") record("no_match", { context: task, via: NAME });
    else
      record("skills_found", {
        skills: found.results.map(({ name, skill_path }) => skill_path ?? name),
        via: NAME,
      });
    const loaded = load ? await loadBest({ snapshotWith, record }, found, call) : undefined;
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
});

/** What the `skill` tool answers for the first result, if that is a clear match. A library skill is for `get_skill` to load. */
async function loadBest(
  { snapshotWith, record }: Pick<ToolServices, "snapshotWith" | "record">,
  { results: [best], verdict }: SearchResult,
  { traits, isRemote }: ToolCall,
): Promise<{ readonly name: string; readonly content: string } | undefined> {
  if (best === undefined || verdict !== "match" || best.skill_path !== undefined) return undefined;
  const shown = await showSkill(snapshotWith, best.name, isRemote);
  const [page] = skillPage(shown, 0, traits.answerLimit).content;
  if (page?.type !== "text") return undefined;
  record("skill_served", { skill_path: best.name, via: "skill" });
  return { name: best.name, content: page.text };
}

function messageFor({ task, total, results, nearest, verdict }: SearchResult): string {
  if (results.length > 0) {
    const sure = verdict === "match" ? "The first clearly matches." : "No skill stands out.";
    return `${sure} ${results.length} of ${total} skills that may match, best first:`;
  }
  const none = `Nothing fits "${task}" well. Continue without a skill, or try other words.`;
  return nearest.length === 0 ? none : `${none} The nearest, which may not help:`;
}

/** How to load a library skill, for the data of an answer: in its text, the line of such a skill says it. */
function wayToLoad({ results, nearest }: SearchResult): string {
  const isOfLibrary = [...results, ...nearest].some(({ skill_path }) => skill_path !== undefined);
  return isOfLibrary ? " Load those with a skill_path with get_skill." : "";
}

function lineFor({ name, skill_path, description, copies }: FoundSkill): string {
  const others = copies === undefined ? "" : ` (copies: ${copies.join(", ")})`;
  return `- ${name}${skill_path === undefined ? "" : " (get_skill)"}: ${description}${others}`;
}
