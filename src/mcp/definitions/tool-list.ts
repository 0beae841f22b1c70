import type { ListToolsResult } from "@modelcontextprotocol/server";
import { fitDescription } from "../../catalog/describe/fit-description.ts";
import { listFormat, xmlFormat } from "../../catalog/describe/formats.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { memoizeWeak } from "../../system/memoize.ts";
import { type Client, profileOf } from "../clients/profiles.ts";
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

/** Returns the tools for a client; only those that its scopes allow, if it has scopes. */
export type ListTools = (
  snapshot: Snapshot,
  client: Client | undefined,
  scopes?: readonly string[],
  isRemote?: boolean,
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
    const listed = allowed.filter(
      (tool) => always.includes(tool) || tool !== "find_skills" || !described.complete,
    );
    const tools = listed.map((tool) => ({
      name: toolNames === "underscore" ? underscored(tool) : tool,
      ...DEFINITIONS[tool]({ snapshot, described }),
    }));
    return { answer: { tools }, shown: described.shown, searchable: listed.includes("find_skills") };
  };
  return (snapshot, client, scopes, isRemote = false) => {
    const lists = cacheOf(snapshot);
    const profile = profileOf(client);
    const budget = descriptionBudget ?? profile.budgets.description;
    const readsFiles = snapshot.hasFiles && (isRemote || !profile.opensFiles);
    const allowed = all.filter(
      (tool) => mayCall(tool, scopes) && (tool !== "read_skill_file" || readsFiles || always.includes(tool)),
    );
    const key = `${budget} ${allowed.join()}`;
    const list = lists.get(key) ?? write(snapshot, budget, allowed);
    lists.set(key, list);
    return list;
  };
}
