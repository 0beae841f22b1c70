import type { ConnectForm } from "../connect/connect-form.ts";
import type { ConfigEntry } from "../documents/document.ts";

/** How an agent runs a command before it sends a prompt to its model: where that is configured, and what it expects. */
export interface HookForm extends Pick<ConnectForm, "documentation" | "movedBy" | "newFile"> {
  readonly user: readonly `~/${string}`[];
  readonly project: readonly string[];
  /** What it calls the event before a prompt is sent. */
  readonly event: string;
  /** What one hook looks like in the list of the event. */
  readonly entry: (command: string) => ConfigEntry;
  /** Whether the answer needs the context for the model at its top level too. */
  readonly flatAnswer: boolean;
  /** What its model calls our `skill` tool, with the name of the server that `connect` writes. */
  readonly tool: string;
  /** How its model uses a skill that the agent reads from the disk by itself. */
  readonly native: string;
  /** What to do next. */
  readonly next: string;
}

/** An agent that can have our hook. */
export interface HookTarget extends HookForm {
  readonly id: string;
  readonly title: string;
}

/** How long an agent waits for our command, which ends by itself long before. */
const TIMEOUT_S = 5;

const hookGroup =
  (timeout: number) =>
  (command: string): ConfigEntry => ({ hooks: [{ type: "command", command, timeout }] });

/** The forms of Claude Code, which several agents share. */
export const HOOK_LIKE_CLAUDE = {
  event: "UserPromptSubmit",
  entry: hookGroup(TIMEOUT_S),
  flatAnswer: false,
} as const;

/** The form of an agent that counts in milliseconds. */
export const entryInMilliseconds = hookGroup(TIMEOUT_S * 1000);

/** The forms of GitHub Copilot, in a file of our own. */
export const HOOK_LIKE_COPILOT = {
  event: "userPromptSubmitted",
  entry: (command: string): ConfigEntry => ({
    type: "command",
    bash: command,
    powershell: `& ${command}`,
    timeoutSec: TIMEOUT_S,
  }),
  flatAnswer: true,
  user: ["~/.copilot/hooks/skills-mcp.json"],
  project: [".github/hooks/skills-mcp.json"],
  newFile: '{\n  "version": 1\n}\n',
  native: "load it with the skill tool",
} as const;
