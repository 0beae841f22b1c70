import { agentsInOrder } from "../all-agents.ts";
import type { Program } from "../connect/own-program.ts";
import type { ConfigEntry, EntryPlace } from "../documents/document.ts";
import { textsIn } from "../documents/values.ts";
import type { HookTarget } from "./hook-form.ts";

/** The order of `hook status`. Copilot CLI and VS Code read one file: the first one that is installed writes it. */
const ORDER = ["claude-code", "codex", "gemini-cli", "qwen-code", "copilot-cli", "vscode"];

/** Every agent that can have our hook. */
export const HOOK_TARGETS: readonly HookTarget[] = agentsInOrder(ORDER).flatMap(({ id, title, hook }) =>
  hook === undefined ? [] : [{ ...hook, id, title }],
);

/** Where our hook is in an agent's file: at the end of the list, because Codex knows the hooks that a user trusts by their number. */
export function hookPlace({ event }: HookTarget): EntryPlace {
  return { keys: ["hooks", event], name: "skills-mcp", inList: true, atEnd: true, isEntry: isOurHook };
}

const OUR_COMMAND = /(?:skills-mcp|dist[\\/]cli\.js)["']? hook run /;

/** Whether a hook runs `skills-mcp hook run`, wherever that is installed. */
export function isOurHook(entry: ConfigEntry): boolean {
  return commandsIn(entry).length > 0;
}

/** The commands of `skills-mcp hook run` in a hook. */
export function commandsIn(entry: ConfigEntry): readonly string[] {
  return textsIn(entry).filter((text) => OUR_COMMAND.test(text));
}

/**
 * The command of our hook, quoted for every shell. Both programs have full paths, because nobody knows the PATH of a hook. On
 * Windows, where an agent may have cmd, PowerShell or Git's bash run it, Node goes by its name if PATH has it (`isNodeInPath`):
 * PowerShell takes a first word in quotes for a text, and cmd loses quotes around it.
 */
export function hookCommand(
  { id }: Pick<HookTarget, "id">,
  program: Program,
  flags: readonly string[],
  isNodeInPath = false,
): string {
  const start = isNodeInPath
    ? ["node", quoteIfNeeded(slashed(program.script))]
    : [program.node, program.script].map((file) => `"${slashed(file)}"`);
  return [...start, "hook", "run", id, ...flags.map(quoteIfNeeded)].join(" ");
}

/** Not quoted is what stands for itself in every shell. */
function quoteIfNeeded(word: string): string {
  return /^[\w+=:./-]+$/.test(word) ? word : `"${slashed(word)}"`;
}

const slashed = (file: string): string => file.replaceAll("\\", "/");
