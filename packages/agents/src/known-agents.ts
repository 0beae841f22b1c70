import { suggestNames } from "#util/pure";
import { type ClientInfo, isKnown, traitsOf, versionsOf } from "./known-clients.ts";

/** Names that people have for clients, and what those call themselves. */
const ALSO_CALLED: Readonly<Record<string, string>> = {
  claude: "claude-code",
  "claude-desktop": "claude-ai",
  copilot: "copilot-cli",
  vscode: "visual-studio-code",
  "vs-code": "visual-studio-code",
};

/** What an agent is called in files and flags: `Claude Code`, `claude-code` and `claude` are one. */
export function agentName(typed: string): string {
  const name = slug(typed);
  const also = Object.hasOwn(ALSO_CALLED, name) ? (ALSO_CALLED[name] ?? name) : name;
  const client = { name: also };
  return isKnown(client) ? slug(traitsOf(client).title) : also;
}

/** What people call an agent. */
export function agentTitle(name: string): string {
  return isKnown({ name }) ? traitsOf({ name }).title : name;
}

/** Whether a client is this agent: one that is not known may add something to its name, as `cursor-vscode` does. */
export function isAgent({ name }: ClientInfo, agent: string): boolean {
  const own = agentName(name);
  return own === agent || (!isKnown({ name: agent }) && own.startsWith(`${agent}-`));
}

/** A known agent that someone may have meant by a name that none has. */
export function meantAgent(name: string): string | undefined {
  if (isKnown({ name }) || COMMON.includes(name)) return undefined;
  return suggestNames(name, COMMON, 1)[0];
}

const COMMON: readonly string[] = [
  ...["claude-code", "codex", "qwen-code", "copilot-cli", "gemini-cli", "opencode", "kilo", "cline"],
  ...["continue", "nanocoder", "claude-ai", "cursor", "visual-studio-code", "windsurf", "zed", "goose"],
];

/** A client that people may ask about, and the versions that differ in what is known of them. */
export interface ClientChoice {
  readonly name: string;
  readonly title: string;
  /** The first version of each behaviour, the newest first; empty where all versions are alike. */
  readonly versions: readonly string[];
  readonly known: boolean;
}

export function clientChoices(): readonly ClientChoice[] {
  return COMMON.map((name) => ({
    name,
    title: isKnown({ name }) ? traitsOf({ name }).title : (TITLES[name] ?? name),
    versions: versionsOf(name),
    known: isKnown({ name }),
  }));
}

/** What people call clients of which nothing is known. */
const TITLES: Readonly<Record<string, string>> = {
  "claude-ai": "Claude Desktop",
  cursor: "Cursor",
  "visual-studio-code": "VS Code",
  windsurf: "Windsurf",
  zed: "Zed",
  goose: "Goose",
};

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}
