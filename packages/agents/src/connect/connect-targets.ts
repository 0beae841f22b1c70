import { Refusal, suggestNames } from "#util/pure";
import { agentsInOrder } from "../all-agents.ts";
import type { ConnectTarget } from "./connect-form.ts";

/** The order of `connect --list` and docs/connect.md. */
const ORDER: readonly string[] = [
  ...["claude-code", "claude-desktop", "codex", "cursor", "vscode", "vscode-insiders", "gemini-cli"],
  ...["opencode", "windsurf", "zed", "copilot-cli", "qwen-code", "cline", "cline-vscode", "roo-code"],
  ...["kilo", "goose", "kiro", "amp", "droid", "continue", "junie", "crush", "rovo-dev", "nanocoder"],
];

/** Every agent that `connect` can write to. */
export const CONNECT_TARGETS: readonly ConnectTarget[] = agentsInOrder(ORDER).flatMap(
  ({ id, title, connect }) => (connect === undefined ? [] : [{ title, ...connect, id }]),
);

/** The agents of a list that people name: by id, by program, or by the start of one id alone. */
export function targetsNamed<T extends { readonly id: string }>(
  names: readonly string[],
  targets: readonly T[],
  refusalOf: (name: string) => string,
): readonly T[] {
  const targetNamed = (name: string): T => {
    const wanted = name.toLowerCase();
    const program = CONNECT_TARGETS.find(({ programs }) => programs.includes(wanted))?.id;
    const exact = targets.find(({ id }) => id === wanted) ?? targets.find(({ id }) => id === program);
    const [first, second] = targets.filter(({ id }) => id.startsWith(wanted));
    const target = exact ?? (second === undefined ? first : undefined);
    if (target !== undefined) return target;
    throw new Refusal(refusalOf(name), { code: "bad-usage" });
  };
  return [...new Set(names.map(targetNamed))];
}

export function connectTargetsNamed(names: readonly string[]): readonly ConnectTarget[] {
  return targetsNamed(names, CONNECT_TARGETS, (name) => {
    const ids = CONNECT_TARGETS.map(({ id }) => id);
    const suggestions = suggestNames(name.toLowerCase(), ids, 3);
    const meant = suggestions.length === 0 ? "" : ` Did you mean: ${suggestions.join(", ")}?`;
    return `Unknown client '${name}'.${meant} Run skills-mcp connect --list to see all of them.`;
  });
}
