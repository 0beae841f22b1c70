import type { Client } from "../connect/client.ts";
import type { Entry, Place } from "../documents/document.ts";

/** An agent that runs a command before it sends a prompt to its model: where it is configured, and what it expects. */
export interface HookHost extends Pick<Client, "id" | "title" | "documentation" | "movedBy" | "newFile"> {
  readonly user: readonly `~/${string}`[];
  readonly project: readonly string[];
  /** What it calls the event before a prompt is sent. */
  readonly event: string;
  /** What one hook looks like in the list of the event. */
  readonly entry: (command: string) => Entry;
  /** Whether the context for the model stands at the top of the answer too. */
  readonly flatAnswer: boolean;
  /** What its model calls our `skill` tool, with the name of the server that `connect` writes. */
  readonly tool: string;
  /** How its model uses a skill that the agent reads from the disk by itself. */
  readonly native: string;
  /** What to do next. */
  readonly next: string;
}

/** The command ends by itself long before. */
const TIMEOUT_S = 5;

const grouped =
  (timeout: number) =>
  (command: string): Entry => ({ hooks: [{ type: "command", command, timeout }] });

/** The forms of Claude Code, which several agents share. */
const LIKE_CLAUDE = { event: "UserPromptSubmit", entry: grouped(TIMEOUT_S), flatAnswer: false } as const;

const LIKE_COPILOT = {
  event: "userPromptSubmitted",
  entry: (command: string): Entry => ({
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

/** Every agent that `hook` knows. A new one is one entry here, with the address of its documentation. */
export const HOOK_HOSTS: readonly HookHost[] = [
  {
    ...LIKE_CLAUDE,
    id: "claude-code",
    title: "Claude Code",
    documentation: "https://code.claude.com/docs/en/hooks",
    user: ["~/.claude/settings.json"],
    movedBy: ["CLAUDE_CONFIG_DIR", "settings.json"],
    project: [".claude/settings.json"],
    tool: "mcp__skills__skill",
    native: "load it with the Skill tool",
    next: "Start a new session of Claude Code; /hooks shows the hook.",
  },
  {
    ...LIKE_CLAUDE,
    id: "codex",
    title: "Codex",
    documentation: "https://developers.openai.com/codex/hooks",
    user: ["~/.codex/hooks.json"],
    movedBy: ["CODEX_HOME", "hooks.json"],
    project: [".codex/hooks.json"],
    tool: "mcp__skills__skill",
    native: "read its SKILL.md first",
    next: "Start Codex, type /hooks, and trust the hook; Codex does not run it before.",
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    documentation: "https://geminicli.com/docs/hooks/reference/",
    event: "BeforeAgent",
    entry: grouped(TIMEOUT_S * 1000),
    flatAnswer: false,
    user: ["~/.gemini/settings.json"],
    movedBy: ["GEMINI_CLI_HOME", ".gemini/settings.json"],
    project: [".gemini/settings.json"],
    tool: "mcp_skills_skill",
    native: "load it with the activate_skill tool",
    next: "Start Gemini CLI again; /hooks shows the hook.",
  },
  {
    ...LIKE_CLAUDE,
    id: "qwen-code",
    title: "Qwen Code",
    documentation: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/",
    entry: grouped(TIMEOUT_S * 1000),
    user: ["~/.qwen/settings.json"],
    movedBy: ["QWEN_HOME", "settings.json"],
    project: [".qwen/settings.json"],
    tool: "mcp__skills__skill",
    native: "load it with the skill tool of your own",
    next: "Start Qwen Code again; /hooks shows the hook.",
  },
  {
    ...LIKE_COPILOT,
    id: "copilot-cli",
    title: "Copilot CLI",
    documentation: "https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference",
    movedBy: ["COPILOT_HOME", "hooks/skills-mcp.json"],
    tool: "skills-skill",
    next: "Start a new session of Copilot CLI.",
  },
  {
    ...LIKE_COPILOT,
    id: "vscode",
    title: "VS Code",
    documentation: "https://code.visualstudio.com/docs/copilot/customization/hooks",
    tool: "mcp_skills_skill",
    next: "Start a new chat in VS Code; the output channel “GitHub Copilot Chat Hooks” shows the hook.",
  },
];

/** Where the hook is in the agent's file. At the end of the list: Codex knows the hooks that a user trusts by their number. */
export function hookPlace({ event }: HookHost): Place {
  return { keys: ["hooks", event], name: "skills-mcp", inList: true, atEnd: true, isEntry: isOurHook };
}

const OUR_COMMAND = /(?:skills-mcp|dist[\\/]cli\.js)["']? hook run /;

/** Whether a hook runs `skills-mcp hook run`, wherever that is installed. */
export function isOurHook(entry: Entry): boolean {
  return commandsIn(entry).length > 0;
}

/** The commands that a hook runs. */
export function commandsIn(entry: Entry): readonly string[] {
  return textsIn(entry).filter((text) => OUR_COMMAND.test(text));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The command of a hook, as every shell reads it: both programs with their full paths, because a hook has any PATH. */
export function hookCommand(
  { id }: Pick<HookHost, "id">,
  program: { readonly node: string; readonly script: string },
  flags: readonly string[],
): string {
  const quoted = [program.node, program.script].map((file) => `"${file.replaceAll("\\", "/")}"`);
  return [...quoted, "hook", "run", id, ...flags.map(quoteIfNeeded)].join(" ");
}

function quoteIfNeeded(word: string): string {
  return /^[\w@%+=:,./~*?-]+$/.test(word) && !/[*?~]/.test(word) ? word : `"${word.replaceAll("\\", "/")}"`;
}
