import { memoizeWeak, Refusal, suggestNames } from "#util/pure";
import type { Agent } from "./agent.ts";
import { ALL_AGENTS, agentsInOrder } from "./all-agents.ts";
import type { ClientInfo } from "./client-traits.ts";
import { isKnown, traitsOf, versionsOf } from "./known-clients.ts";

/** Every word that means an agent. An id means its own agent, whatever others are called. */
const wordsFor = memoizeWeak((agents: readonly Agent[]): ReadonlyMap<string, Agent> => {
  const words = agents.flatMap((agent) => {
    const { provider, title, client, alsoCalled = [] } = agent;
    const all = [provider, title, client?.name, ...alsoCalled].filter((word) => word !== undefined);
    return all.map((word) => [slug(word), agent] as const);
  });
  return new Map([...words, ...agents.map((agent) => [agent.id, agent] as const)]);
});

/** What an agent is called in files and flags: `Claude Code`, `claude-code` and `claude` are one. */
export function agentName(typed: string): string {
  const name = slug(typed);
  const agent = wordsFor(ALL_AGENTS).get(name);
  const client = { name: agent?.client?.name ?? agent?.id ?? name };
  return isKnown(client) ? slug(traitsOf(client).title) : client.name;
}

/** What people call an agent; the name itself where nobody knows it. */
export function agentTitle(name: string): string {
  return clientTitle(name) ?? name;
}

/** What people call the client of this name; undefined for one that is not known. */
export function clientTitle(name: string): string | undefined {
  return isKnown({ name }) ? traitsOf({ name }).title : wordsFor(ALL_AGENTS).get(slug(name))?.title;
}

/** The client that a name means, as the choices call it; without a version, the newest of those that differ. */
export function clientMeant(name: string, version?: string): ClientInfo {
  const own = agentCalled(name)?.client?.name ?? name;
  const wanted = version ?? versionsOf(own)[0];
  return wanted === undefined ? { name: own } : { name: own, version: wanted };
}

/** Whether a client is this agent: one that is not known may add something to its name, as `goose-desktop` does. */
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

/** The agent of this id, title, provider, client name or program, or that other tools call so. */
export function agentCalled(typed: string): Agent | undefined {
  const word = slug(typed);
  const isCalled = ({ client, connect }: Agent): boolean =>
    client?.measured?.pattern.test(typed.trim()) === true || connect?.programs.includes(word) === true;
  return wordsFor(ALL_AGENTS).get(word) ?? ALL_AGENTS.find(isCalled);
}

/**
 * The agent that people mean, wherever an agent is taken: the start of one id is enough. A word that means none is refused
 * with the nearest one.
 */
export function requireAgent(typed: string): Agent {
  const [first, second] = ALL_AGENTS.filter(({ id }) => slug(typed) !== "" && id.startsWith(slug(typed)));
  const agent = agentCalled(typed) ?? (second === undefined ? first : undefined);
  if (agent !== undefined) return agent;
  const meant = nearestAgent(typed);
  const way =
    meant === undefined
      ? "Run skills-mcp connect --list for the agents that can be connected."
      : `Did you mean ${meant.id}?`;
  throw new Refusal(`Unknown agent '${typed}'. ${way}`, { code: "bad-usage", flag: typed });
}

/** The agent that someone may have meant by a word that means none. */
export function nearestAgent(typed: string): Agent | undefined {
  const words = wordsFor(ALL_AGENTS);
  const [meant] = suggestNames(slug(typed), words.keys(), 1);
  return meant === undefined ? undefined : words.get(meant);
}

function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
}
