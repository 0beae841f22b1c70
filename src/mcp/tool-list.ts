import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as ToolDefinition,
} from "@modelcontextprotocol/server";
import type { Snapshot } from "../registry/registry.ts";
import { toolsOf } from "./all-tools.ts";
import { createDescriber } from "./described-skills.ts";
import type { ServerSettings } from "./settings.ts";
import type { Tool } from "./tool.ts";
import { mayCall } from "./tool-scopes.ts";
import { findSkillsTool } from "./tools/find-skills.ts";

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
  const always = toolsOf(settings.tools.always);
  const auto = toolsOf(settings.tools.auto);
  const all = [...always, ...auto];
  const finder = all.includes(findSkillsTool);
  const describe = createDescriber();
  // Keyed weakly, so a replaced snapshot takes its lists with it.
  const written = new WeakMap<Snapshot, Map<string, ToolList>>();

  const write = (snapshot: Snapshot, budget: number, allowed: readonly Tool[]): ToolList => {
    const described = describe(snapshot.catalog, { format: settings.descriptionFormat, budget, finder });
    const listed = (described.complete ? always : all).filter((tool) => allowed.includes(tool));
    const tools = listed.map((tool) => named(tool, settings, tool.definition({ snapshot, described })));
    return { answer: { tools }, shown: described.shown, searchable: listed.includes(findSkillsTool) };
  };
  return (snapshot, budget, scopes) => {
    const known = written.get(snapshot) ?? new Map<string, ToolList>();
    written.set(snapshot, known);
    const allowed = scopes === undefined ? all : all.filter((tool) => mayCall(tool.name, scopes));
    const key = `${budget} ${allowed.map((tool) => tool.name).join()}`;
    const list = known.get(key) ?? write(snapshot, budget, allowed);
    known.set(key, list);
    return list;
  };
}

/** Finds a tool by its name, with dots or underscores. */
export function createToolFinder(tools: readonly Tool[]): (name: string) => Tool {
  const byName = new Map(
    [...tools].reverse().flatMap((tool) => [
      [underscored(tool.name), tool],
      [tool.name, tool],
    ]),
  );
  return (name) => {
    const tool = byName.get(name);
    if (tool !== undefined) return tool;
    const known = tools.map((candidate) => candidate.name).join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: '${name}'. This server has ${known}.`,
    );
  };
}

/** Some model APIs reject dots in the names of tools, and with one of them the whole list. */
function named(
  tool: Tool,
  { toolNames }: Pick<ServerSettings, "toolNames">,
  definition: ToolDefinition,
): ToolDefinition {
  return toolNames === "underscore" ? { ...definition, name: underscored(tool.name) } : definition;
}

function underscored(name: string): string {
  return name.replaceAll(".", "_");
}
