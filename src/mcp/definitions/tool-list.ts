import type { ListToolsResult } from "@modelcontextprotocol/server";
import { fitDescription } from "../../catalog/describe/fit-description.ts";
import { listFormat, xmlFormat } from "../../catalog/describe/formats.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { memoizeWeak } from "../../system/memoize.ts";
import type { ServerSettings } from "../server/settings.ts";
import { DEFINITIONS } from "./all-definitions.ts";
import { mayCall } from "./tool-scopes.ts";
import { type ToolName, underscored } from "./tool-sets.ts";

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
  descriptionFormat,
  descriptionBudget,
}: Pick<ServerSettings, "tools" | "toolNames" | "descriptionFormat" | "descriptionBudget">): ListTools {
  const format = descriptionFormat === "xml" ? xmlFormat : listFormat;
  const all = [...always, ...auto];
  const finder = all.includes("find_skills");
  const cacheOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, ToolList>());

  const write = (snapshot: Snapshot, budget: number, allowed: readonly ToolName[]): ToolList => {
    const described = fitDescription(snapshot.catalog.entries, { format, budget, finder });
    const listed = (described.complete ? always : all).filter((tool) => allowed.includes(tool));
    const tools = listed.map((tool) => ({
      name: toolNames === "underscore" ? underscored(tool) : tool,
      ...DEFINITIONS[tool]({ snapshot, described }),
    }));
    return { answer: { tools }, shown: described.shown, searchable: listed.includes("find_skills") };
  };
  return (snapshot, clientName, scopes) => {
    const lists = cacheOf(snapshot);
    const budget = descriptionBudget ?? descriptionBudgetFor(clientName);
    const allowed = scopes === undefined ? all : all.filter((tool) => mayCall(tool, scopes));
    const key = `${budget} ${allowed.join()}`;
    const list = lists.get(key) ?? write(snapshot, budget, allowed);
    lists.set(key, list);
    return list;
  };
}

/** Claude Code cuts a tool description at 2,048 characters, in mid-word and without a notice. */
const CUTTING_CLIENTS = /^claude[ _-]?code\b/i;

const BUDGET_FOR_CUTTING_CLIENTS = 2_000;
const BUDGET = 20_000;

/** How long the description of the `skill` tool may be for a client that calls itself `clientName`. */
export function descriptionBudgetFor(clientName: string | undefined): number {
  return clientName !== undefined && CUTTING_CLIENTS.test(clientName) ? BUDGET_FOR_CUTTING_CLIENTS : BUDGET;
}
