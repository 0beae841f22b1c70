import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { Snapshot } from "../../registry/registry.ts";
import type { ServerSettings } from "../server/settings.ts";
import { DEFINITIONS } from "./all-definitions.ts";
import { descriptionBudgetFor } from "./client-budget.ts";
import { createDescriber } from "./described-skills.ts";
import { mayCall } from "./tool-scopes.ts";
import type { ToolName } from "./tool-sets.ts";
import { underscored } from "./underscored.ts";

export interface ToolList {
  readonly answer: ListToolsResult;
  /** How many skills it names: always the first of the catalog. */
  readonly shown: number;
  /** Whether `find_skills` is among the tools. */
  readonly searchable: boolean;
}

/** Returns the tools for a client of that name; only those that its scopes allow, if it has scopes. */
export type ListTools = (
  snapshot: Snapshot,
  clientName: string | undefined,
  scopes?: readonly string[],
) => ToolList;

/** Writes each list once, however many sessions ask for it. It needs no SDK, so the first list need not wait for it. */
export function createToolList({
  tools: { always, auto },
  toolNames,
  descriptionFormat: format,
  descriptionBudget,
}: Pick<ServerSettings, "tools" | "toolNames" | "descriptionFormat" | "descriptionBudget">): ListTools {
  const all = [...always, ...auto];
  const finder = all.includes("find_skills");
  const describe = createDescriber();
  // Keyed weakly, so a replaced snapshot takes its lists with it.
  const cached = new WeakMap<Snapshot, Map<string, ToolList>>();

  const write = (snapshot: Snapshot, budget: number, allowed: readonly ToolName[]): ToolList => {
    const described = describe(snapshot.catalog, { format, budget, finder });
    const listed = (described.complete ? always : all).filter((tool) => allowed.includes(tool));
    const tools = listed.map((tool) => ({
      name: toolNames === "underscore" ? underscored(tool) : tool,
      ...DEFINITIONS[tool]({ snapshot, described }),
    }));
    return { answer: { tools }, shown: described.shown, searchable: listed.includes("find_skills") };
  };
  return (snapshot, clientName, scopes) => {
    const lists = cached.get(snapshot) ?? new Map<string, ToolList>();
    cached.set(snapshot, lists);
    const budget = descriptionBudget ?? descriptionBudgetFor(clientName);
    const allowed = scopes === undefined ? all : all.filter((tool) => mayCall(tool, scopes));
    const key = `${budget} ${allowed.join()}`;
    const list = lists.get(key) ?? write(snapshot, budget, allowed);
    lists.set(key, list);
    return list;
  };
}
