import {
  type GetPromptResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { traitsOf } from "#agents";
import type { LibraryTools } from "#library";
import type { Location } from "#skills";
import { nativeSkills, refusalIfDisabled } from "#skills";
import { nameKey, suggestNames } from "#util/pure";
import type { Skills, UsageRecords } from "../../services.ts";
import { showSkill } from "../answers/skill-header.ts";
import { answering } from "../resources/serve-resources.ts";
import { clientOf } from "../server/client-of.ts";
import { createCursors, pageOf } from "../server/paging.ts";
import type { RequestHandlers } from "../server/pipeline.ts";
import { type NamedPrompt, type Prompts, promptsOf } from "./prompt-names.ts";
import { checkValues, namedValues, plainPromptText, skillPromptText } from "./prompt-text.ts";

const CURSORS = createCursors("prompts");

/** The skills that are prompts, and where using one is recorded. */
interface PromptedSkills
  extends Pick<Skills, "snapshot" | "snapshotWith" | "load">,
    Pick<UsageRecords, "record" | "recordUnknownName"> {
  readonly library: Pick<LibraryTools, "readContent">;
}

interface PromptSettings {
  /** The client is on another machine. */
  readonly isRemote: boolean;
  /** Where a skill that the client reads by itself is no prompt: it would be a slash command twice. */
  readonly leaveOut: readonly Location[];
}

/** Serves each skill as a prompt, so that clients offer it as a slash command. */
export function promptHandlers(
  server: Server,
  prompted: PromptedSkills,
  { isRemote, leaveOut }: PromptSettings,
): RequestHandlers {
  return {
    "prompts/list": async ({ params }, context) => {
      const snapshot = await prompted.snapshot();
      const isNative = nativeSkills(snapshot, traitsOf(clientOf(server, context)), leaveOut);
      const listed = promptsOf(snapshot).sorted.filter(
        ({ target }) => target.kind !== "skill" || !isNative(target.entry),
      );
      const { items, nextCursor } = pageOf(listed, (prompt) => prompt.name, CURSORS, params?.cursor);
      return { prompts: items.map(definitionOf), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    "prompts/get": async ({ params }) => {
      const snapshot = await prompted.snapshot();
      const prompts = promptsOf(snapshot);
      if (!prompts.byKey.has(nameKey(params.name))) {
        const refusal = refusalIfDisabled(snapshot, params.name);
        if (refusal !== undefined) await answering(() => Promise.reject(refusal));
        prompted.recordUnknownName(params.name, "prompt");
      }
      const prompt = findPrompt(prompts, params.name);
      const values = namedValues(prompt.arguments, params.arguments ?? {});
      checkValues(prompt.arguments, values);
      return promptResult(prompt, await answering(() => textOf(prompted, prompt, values, isRemote)));
    },
  };
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

function definitionOf({ name, title, description, arguments: wanted }: NamedPrompt) {
  if (wanted.length === 0) return { name, title, description };
  return {
    name,
    title,
    description,
    arguments: wanted.map((argument) => ({ ...argument, required: argument.required ?? false })),
  };
}

async function textOf(
  prompted: PromptedSkills,
  { target, arguments: wanted }: NamedPrompt,
  values: Readonly<Record<string, string>>,
  isRemote: boolean,
): Promise<string> {
  if (target.kind === "skill") {
    const { listedAs } = target.entry;
    const shown = await showSkill(prompted.snapshotWith, listedAs, isRemote);
    prompted.record("skill_served", { skill_path: listedAs, via: "prompt" });
    return skillPromptText(shown, wanted, values);
  }
  const { path } = target.skill;
  const content = await prompted.library.readContent(path);
  prompted.record("skill_served", { skill_path: path, via: "prompt" });
  return plainPromptText(content, values);
}

function promptResult({ description }: NamedPrompt, text: string): GetPromptResult {
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}
