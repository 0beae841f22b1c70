import { suggestNames } from "#util/pure";
import { ALL_AGENTS, agentsInOrder } from "./all-agents.ts";
import type { ClientInfo } from "./client-traits.ts";
import { isKnown, traitsOf, versionsOf } from "./known-clients.ts";

/** What clients call themselves, by what people also call them. */
const ALSO_CALLED: ReadonlyMap<string, string> = new Map(
  ALL_AGENTS.flatMap(({ client }) => (client?.alsoCalled ?? []).map((also) => [also, client?.name ?? also])),
);

/** What an agent is called in files and flags: `Claude Code`, `claude-code` and `claude` are one. */
export function agentName(typed: string): string {
  const name = slug(typed);
  const also = ALSO_CALLED.get(name) ?? name;
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

/** A client that people may ask about, and the versions that differ in what is known of them. */
export interface ClientChoice {
  readonly name: string;
  readonly title: string;
  /** The first version of each behaviour, the newest first; empty where all versions are alike. */
  readonly versions: readonly string[];
  readonly known: boolean;
}

/** The order of the choices. */
const ORDER: readonly string[] = [
  ...["claude-code", "codex", "qwen-code", "copilot-cli", "gemini-cli", "opencode", "kilo", "cline"],
  ...["continue", "nanocoder", "claude-desktop", "cursor", "vscode", "windsurf", "zed", "goose"],
];

/** Every agent whose name in `clientInfo` is known. */
const CHOICES: readonly ClientChoice[] = agentsInOrder(ORDER).flatMap(({ title, client }) => {
  if (client === undefined) return [];
  const { name, measured } = client;
  return [{ name, title, versions: versionsOf(name), known: measured !== undefined }];
});

export function clientChoices(): readonly ClientChoice[] {
  return CHOICES;
}

/** What somebody may have meant by a name that no agent has: the nearest one, or none. Undefined for the name of an agent. */
export function meantAgent(typed: string): readonly string[] | undefined {
  const names = [
    ...CHOICES.map(({ name }) => name),
    ...ALL_AGENTS.flatMap(({ id, provider = id, title }) => [id, provider, slug(title)]),
  ];
  return isKnown({ name: typed }) || names.includes(typed) ? undefined : suggestNames(typed, names, 1);
}

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}
