import { Refusal } from "#util/pure";
import type { Agent } from "../agent.ts";
import { requireAgent } from "../agent-names.ts";
import { agentsInOrder } from "../all-agents.ts";
import type { ConnectTarget } from "./connect-form.ts";

/** The order of `connect --list` and docs/how-to/connect.md. */
const ORDER: readonly string[] = [
  ...["claude-code", "claude-desktop", "codex", "cursor", "vscode", "vscode-insiders", "gemini-cli"],
  ...["opencode", "windsurf", "zed", "copilot-cli", "qwen-code", "cline", "cline-vscode", "roo-code"],
  ...["kilo", "goose", "kiro", "amp", "droid", "continue", "junie", "crush", "rovo-dev", "nanocoder"],
];

/** Every agent that `connect` can write to. */
export const CONNECT_TARGETS: readonly ConnectTarget[] = agentsInOrder(ORDER).flatMap(
  ({ id, title, connect }) => (connect === undefined ? [] : [{ title, ...connect, id }]),
);

/** The agents of a list that people name. `whyNot` says why a known agent is not in the list. */
export function targetsNamed<T extends { readonly id: string }>(
  names: readonly string[],
  targets: readonly T[],
  whyNot: (agent: Agent) => string,
): readonly T[] {
  const targetNamed = (name: string): T => {
    const agent = requireAgent(name);
    const target = targets.find(({ id }) => id === agent.id);
    if (target !== undefined) return target;
    throw new Refusal(whyNot(agent), { code: "bad-usage", flag: name });
  };
  return [...new Set(names.map(targetNamed))];
}

export function connectTargetsNamed(names: readonly string[]): readonly ConnectTarget[] {
  return targetsNamed(
    names,
    CONNECT_TARGETS,
    ({ title }) =>
      `Where ${title} has its MCP servers is not known. Run skills-mcp connect --list for the agents that can be connected.`,
  );
}
