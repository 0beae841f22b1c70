import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { Snapshot } from "../../registry/registry.ts";
import type { ServerSettings } from "../server/settings.ts";
import { DEFINITIONS } from "./all-definitions.ts";
import { createDescriber } from "./described-skills.ts";
import { mayCall } from "./tool-scopes.ts";
import { type ToolName, underscored } from "./tool-sets.ts";

export interface ToolList {
  readonly answer: ListToolsResult;
  /** How many of the catalog's skills are named in it: always the first ones. */
  readonly shown: number;
  /** Whether the tool that searches is among them. */
  readonly searchable: boolean;
}

/** Writes the list of tools once for each snapshot, budget and set of tools that a caller may use. */
export function createToolList(
  settings: Pick<ServerSettings, "tools" | "toolNames" | "descriptionFormat">,
): (snapshot: Snapshot, budget: number, scopes: readonly string[] | undefined) => ToolList {
  const { always, auto } = settings.tools;
  const all = [...always, ...auto];
  const finder = all.includes("find_skills");
  const describe = createDescriber();
  // Keyed weakly, so a replaced snapshot takes its lists with it.
  const written = new WeakMap<Snapshot, Map<string, ToolList>>();

  const write = (snapshot: Snapshot, budget: number, allowed: readonly ToolName[]): ToolList => {
    const described = describe(snapshot.catalog, { format: settings.descriptionFormat, budget, finder });
    const listed = (described.complete ? always : all).filter((tool) => allowed.includes(tool));
    const tools = listed.map((tool) => ({
      name: shownName(tool, settings),
      ...DEFINITIONS[tool]({ snapshot, described }),
    }));
    return { answer: { tools }, shown: described.shown, searchable: listed.includes("find_skills") };
  };
  return (snapshot, budget, scopes) => {
    const known = written.get(snapshot) ?? new Map<string, ToolList>();
    written.set(snapshot, known);
    const allowed = scopes === undefined ? all : all.filter((tool) => mayCall(tool, scopes));
    const key = `${budget} ${allowed.join()}`;
    const list = known.get(key) ?? write(snapshot, budget, allowed);
    known.set(key, list);
    return list;
  };
}

function shownName(tool: ToolName, { toolNames }: Pick<ServerSettings, "toolNames">): string {
  return toolNames === "underscore" ? underscored(tool) : tool;
}
