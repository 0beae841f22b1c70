import { allowsScripts, type Profile, smallestBudget } from "#skills";
import { TOOL_SCOPES } from "../definitions/tool-scopes.ts";
import { narrowTools } from "../definitions/tool-sets.ts";
import type { ServerSettings } from "../server/settings.ts";

/** The settings that a profile decides as well. */
export type ProfiledSettings = Pick<ServerSettings, "tools" | "descriptionBudget" | "instructionsBudget">;

/** What is left of a server's tools for whoever is served these profiles, and what their model is told. */
export function forProfiles(
  { tools, descriptionBudget, instructionsBudget }: ProfiledSettings,
  profiles: readonly Profile[],
): ProfiledSettings {
  const lists = profiles.flatMap(({ tools: named }) => (named === undefined ? [] : [named]));
  const left = lists.reduce(narrowTools, tools);
  return {
    tools: allowsScripts(profiles) ? left : withoutScripts(left),
    descriptionBudget: smaller(descriptionBudget, smallestBudget(profiles, "description_budget")),
    instructionsBudget: smaller(instructionsBudget, smallestBudget(profiles, "instructions_budget")),
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function withoutScripts({ always, auto }: ServerSettings["tools"]): ServerSettings["tools"] {
  const isLeft = (tool: string): boolean => TOOL_SCOPES.get(tool) !== "skills:run";
  return { always: always.filter(isLeft), auto: auto.filter(isLeft) };
}
