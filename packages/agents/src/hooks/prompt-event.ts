import { isRecord, parseJson } from "#util/pure";
import type { HookForm } from "./hook-form.ts";

/** What an agent says of a prompt before it sends it. */
export interface PromptEvent {
  readonly prompt: string;
  /** The folder that it works in. */
  readonly cwd?: string;
  /** What the agent calls the event, if it says so. */
  readonly name?: string;
}

/** A skill to suggest. */
export interface SkillSuggestion {
  /** What loads it: our name for it, or the agent's own for one that it reads by itself. */
  readonly name: string;
  readonly isNative: boolean;
}

/** Reads the event that an agent writes. Undefined for anything that is no prompt in words: other events, commands of the agent, garbage. */
export function parsePromptEvent(text: string): PromptEvent | undefined {
  const event = parseJson(text);
  const prompt = isRecord(event) ? event["prompt"] : undefined;
  if (!isRecord(event) || typeof prompt !== "string" || prompt.trim() === "") return undefined;
  if (COMMAND.test(prompt)) return undefined;
  const cwd = textOf(event["cwd"]);
  const name = textOf(event["hook_event_name"]) ?? textOf(event["hookEventName"]);
  return { prompt, ...(cwd === undefined ? {} : { cwd }), ...(name === undefined ? {} : { name }) };
}

/** A command of the agent: `/compact`, `/plugin:name some words`; not a path such as `/etc/hosts is wrong`. */
const COMMAND = /^\s*\/[\w:.-]+(?:\s|$)/;

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether a name has only letters, numbers and what joins them. Anybody can write a name, and the model reads it as an instruction. */
export function isPlainName(name: string): boolean {
  // Nearly every name: classes of all scripts take longer to set up than everything else here.
  if (/^[a-zA-Z0-9][a-zA-Z0-9._:@/+-]{0,127}$/.test(name)) return true;
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._:@/+-]{0,127}$/u.test(name);
}

/** The text that the model reads. */
function suggestionText({ tool, native }: HookForm, suggestions: readonly SkillSuggestion[]): string {
  return suggestions
    .map(({ name, isNative }) => {
      const way = isNative ? native : `load it with the skill tool (${tool})`;
      return `The skill \`${name}\` fits this task: ${way}.`;
    })
    .join("\n");
}

/** The JSON that the agent reads from standard output. */
export function hookAnswer(
  hook: HookForm,
  event: PromptEvent,
  suggestions: readonly SkillSuggestion[],
): string {
  const additionalContext = suggestionText(hook, suggestions);
  const nested = { hookEventName: event.name ?? hook.event, additionalContext };
  return JSON.stringify({
    ...(hook.flatAnswer ? { additionalContext } : {}),
    hookSpecificOutput: nested,
  });
}
