import { TOOL_FACTS } from "./tool-definitions.generated.ts";
import { underscored } from "./tool-sets.ts";

type ToolScope = NonNullable<(typeof TOOL_FACTS)[number]["scope"]>;

/** The scope of each tool that does more than read, by both of its names. */
export const TOOL_SCOPES: ReadonlyMap<string, ToolScope> = new Map(
  TOOL_FACTS.flatMap(({ name, scope }) =>
    scope === undefined ? [] : [name, underscored(name)].map((each): [string, ToolScope] => [each, scope]),
  ),
);

/** Whether a caller may use a tool; without scopes every tool is allowed. */
export function mayCall(tool: string, scopes: readonly string[] | undefined): boolean {
  const needed = TOOL_SCOPES.get(tool);
  return needed === undefined || scopes === undefined || scopes.includes(needed);
}
