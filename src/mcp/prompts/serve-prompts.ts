import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import type { App } from "../../app/create-app.ts";
import { suggestNames } from "../../catalog/suggest.ts";
import { nameKey } from "../../skill/names.ts";
import { answering } from "../resources/serve-resources.ts";
import { createCursors, pageOf } from "../server/paging.ts";
import { skillAnswer } from "../tools/skill.ts";
import { showSkill } from "../tools/skill-header.ts";
import { type NamedPrompt, type Prompts, promptsOf } from "./prompt-names.ts";

/** The one argument of every prompt. */
const TASK = "task";

const CURSORS = createCursors("prompts");

/** Serves each skill as a prompt, so that clients offer it as a slash command. */
export function servePrompts(server: Pick<Server, "setRequestHandler">, app: App, isRemote: boolean): void {
  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { sorted } = promptsOf(await app.snapshot());
    const { items, nextCursor } = pageOf(sorted, (prompt) => prompt.name, CURSORS, params?.cursor);
    return { prompts: items.map(definitionOf), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const prompt = findPrompt(promptsOf(await app.snapshot()), params.name);
    const task = taskIn(params.arguments ?? {}).trim();
    const text = await answering(() => textOf(app, prompt, isRemote));
    return promptResult(prompt, task === "" ? text : `${text.trimEnd()}\n\nTask: ${task}`);
  });
}

export function findPrompt(prompts: Prompts, name: string): NamedPrompt {
  const found = prompts.byKey.get(nameKey(name));
  if (found !== undefined) return found;
  const meant = suggestNames(
    name,
    prompts.sorted.map((prompt) => prompt.name),
    3,
  );
  const way = meant.length === 0 ? "prompts/list names all of them." : `Did you mean: ${meant.join(", ")}?`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: '${name}'. ${way}`);
}

function definitionOf({ name, title, description }: NamedPrompt) {
  const task = { name: TASK, description: "What to do with the skill", required: false };
  return { name, title, description, arguments: [task] };
}

function taskIn(given: Readonly<Record<string, string>>): string {
  const unknown = Object.keys(given).find((name) => name !== TASK);
  if (unknown === undefined) return given[TASK] ?? "";
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown argument '${unknown}': a skill's prompt takes '${TASK}' alone.`,
  );
}

async function textOf(app: App, { target }: NamedPrompt, isRemote: boolean): Promise<string> {
  if (target.kind === "skill") {
    const { listedAs } = target.entry;
    const shown = await showSkill(app, listedAs, isRemote);
    app.record("skill_served", { skill_path: listedAs, via: "prompt" });
    return skillAnswer(shown);
  }
  const { path } = target.skill;
  const content = await app.library.readContent(path);
  app.record("skill_served", { skill_path: path, via: "prompt" });
  return content;
}

function promptResult({ description }: NamedPrompt, text: string): GetPromptResult {
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}
