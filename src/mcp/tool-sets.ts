import { Refusal } from "../skill/refusal.ts";
import type { Tool } from "./tool.ts";
import { findSkillsTool } from "./tools/find-skills.ts";
import { skillTool } from "./tools/skill.ts";

/** Which tools a server offers. `auto` ones are listed only when they are wanted, but can always be called. */
export interface ToolSelection {
  readonly always: readonly Tool[];
  readonly auto: readonly Tool[];
}

const TOOL_SETS: ReadonlyMap<string, readonly Tool[]> = new Map([
  ["loader", [skillTool]],
  ["finder", [findSkillsTool]],
]);

const TOOLS: readonly Tool[] = [...TOOL_SETS.values()].flat();

/** The loader, and the finder as soon as the list of skills does not fit its budget. */
const DEFAULT_SELECTION: ToolSelection = { always: [skillTool], auto: [findSkillsTool] };

/** Reads `--tools`: set names, tool names or `all`, as comma lists. What is named is always listed. */
export function selectTools(lists: readonly string[]): ToolSelection {
  if (lists.length === 0) return DEFAULT_SELECTION;
  const wanted = new Set<Tool>();
  for (const token of lists.flatMap((list) => list.split(",")).map((part) => part.trim())) {
    for (const tool of toolsNamed(token)) wanted.add(tool);
  }
  return { always: TOOLS.filter((tool) => wanted.has(tool)), auto: [] };
}

function toolsNamed(token: string): readonly Tool[] {
  if (token === "all") return TOOLS;
  const named = TOOL_SETS.get(token) ?? TOOLS.filter((tool) => tool.name === token);
  if (named.length > 0) return named;
  const known = ["all", ...TOOL_SETS.keys(), ...TOOLS.map((tool) => tool.name)];
  throw new Refusal(`--tools does not know '${token}'. It takes ${known.join(", ")}.`, {
    code: "bad-usage",
    flag: "--tools",
  });
}
