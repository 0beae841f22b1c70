import type { Agent } from "./agent.ts";
import * as files from "./agents/index.ts";

/** Every agent that is known, by the name of its file. */
export const ALL_AGENTS: readonly Agent[] = Object.values(files);

/** All agents: those with these ids first, in this order. A new agent follows them, so it changes nothing for the others. */
export function agentsInOrder(ids: readonly string[]): readonly Agent[] {
  const rankOf = ({ id }: Agent): number => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return ALL_AGENTS.toSorted((a, b) => rankOf(a) - rankOf(b));
}
