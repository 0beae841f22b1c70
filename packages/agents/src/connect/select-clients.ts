import { Refusal, suggestNames } from "#util/pure";
import { CLIENTS } from "../clients.ts";
import type { Client } from "./client.ts";

/** The clients that people name: by id, by program, or by the start of one id alone. */
export function clientsNamed(names: readonly string[]): readonly Client[] {
  return [...new Set(names.map(clientNamed))];
}

function clientNamed(name: string): Client {
  const wanted = name.toLowerCase();
  const exact =
    CLIENTS.find(({ id }) => id === wanted) ?? CLIENTS.find(({ programs }) => programs.includes(wanted));
  const [first, second] = CLIENTS.filter(({ id }) => id.startsWith(wanted));
  const client = exact ?? (second === undefined ? first : undefined);
  if (client !== undefined) return client;
  const suggestions = suggestNames(
    wanted,
    CLIENTS.map(({ id }) => id),
    3,
  );
  const meant = suggestions.length === 0 ? "" : ` Did you mean: ${suggestions.join(", ")}?`;
  throw new Refusal(`Unknown client '${name}'.${meant} Run skills-mcp connect --list to see all of them.`, {
    code: "bad-usage",
  });
}
