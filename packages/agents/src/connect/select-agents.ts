import { Refusal, suggestNames } from "#util/pure";
import type { ConnectTarget } from "./connect-form.ts";
import { CONNECT_TARGETS } from "./connect-targets.ts";

/** The agents that people name: by id, by program, or by the start of one id alone. */
export function connectTargetsNamed(names: readonly string[]): readonly ConnectTarget[] {
  return [...new Set(names.map(targetNamed))];
}

function targetNamed(name: string): ConnectTarget {
  const wanted = name.toLowerCase();
  const exact =
    CONNECT_TARGETS.find(({ id }) => id === wanted) ??
    CONNECT_TARGETS.find(({ programs }) => programs.includes(wanted));
  const [first, second] = CONNECT_TARGETS.filter(({ id }) => id.startsWith(wanted));
  const target = exact ?? (second === undefined ? first : undefined);
  if (target !== undefined) return target;
  const suggestions = suggestNames(
    wanted,
    CONNECT_TARGETS.map(({ id }) => id),
    3,
  );
  const meant = suggestions.length === 0 ? "" : ` Did you mean: ${suggestions.join(", ")}?`;
  throw new Refusal(`Unknown client '${name}'.${meant} Run skills-mcp connect --list to see all of them.`, {
    code: "bad-usage",
  });
}
