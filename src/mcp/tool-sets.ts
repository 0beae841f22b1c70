import { Refusal } from "../skill/refusal.ts";
import type { Tool } from "./tool.ts";
import { findSkillsTool } from "./tools/find-skills.ts";
import { getAssetTool } from "./tools/get-asset.ts";
import { getSkillTool } from "./tools/get-skill.ts";
import { listSkillsTool } from "./tools/list-skills.ts";
import { refreshSkillsTool } from "./tools/refresh-skills.ts";
import { reportUsageTool } from "./tools/report-usage.ts";
import { runScriptTool } from "./tools/run-script.ts";
import { skillTool } from "./tools/skill.ts";
import { skillsListTool } from "./tools/skills-list.ts";
import { skillsSearchTool } from "./tools/skills-search.ts";

/** Which tools a server offers. `auto` ones are listed only when they are wanted, but can always be called. */
export interface ToolSelection {
  readonly always: readonly Tool[];
  readonly auto: readonly Tool[];
}

const LIBRARY_TOOLS: readonly Tool[] = [
  getSkillTool,
  listSkillsTool,
  getAssetTool,
  runScriptTool,
  reportUsageTool,
  refreshSkillsTool,
];

const TOOL_SETS: ReadonlyMap<string, readonly Tool[]> = new Map([
  ["loader", [skillTool]],
  ["catalog", [skillsListTool, skillsSearchTool]],
  ["finder", [findSkillsTool]],
  ["library", LIBRARY_TOOLS],
]);

const TOOLS: readonly Tool[] = [...TOOL_SETS.values()].flat();

/** What a server offers unless `--tools` says otherwise. */
export const DEFAULT_TOOLS = {
  /** The loader, and the finder as soon as the list of skills does not fit its budget. */
  loader: { always: [skillTool], auto: [findSkillsTool] },
  /** The same, and the catalog tools over `--root`. */
  loaderAndCatalog: { always: [skillTool, skillsListTool, skillsSearchTool], auto: [findSkillsTool] },
  catalog: { always: [skillsListTool, skillsSearchTool], auto: [] },
} as const satisfies Readonly<Record<string, ToolSelection>>;

/** The same, and the library's tools. */
export function withLibraryTools({ always, auto }: ToolSelection): ToolSelection {
  return { always: [...always, ...LIBRARY_TOOLS], auto };
}

/** Whether every tool that was chosen needs a library. */
export function needsLibrary({ always, auto }: ToolSelection): boolean {
  return [...always, ...auto].every((tool) => LIBRARY_TOOLS.includes(tool));
}

/** Reads `--tools`: set names, tool names or `all`, as comma lists. What is named is always listed. */
export function selectTools(lists: readonly string[], otherwise: ToolSelection): ToolSelection {
  if (lists.length === 0) return otherwise;
  const wanted = new Set<Tool>();
  for (const token of lists.flatMap((list) => list.split(",")).map((part) => part.trim())) {
    for (const tool of toolsNamed(token)) wanted.add(tool);
  }
  return { always: TOOLS.filter((tool) => wanted.has(tool)), auto: [] };
}

function toolsNamed(token: string): readonly Tool[] {
  if (token === "all") return TOOLS;
  const named =
    TOOL_SETS.get(token) ??
    TOOLS.filter((tool) => tool.name === token || tool.name.replace(".", "_") === token);
  if (named.length > 0) return named;
  const known = ["all", ...TOOL_SETS.keys(), ...TOOLS.map((tool) => tool.name)];
  throw new Refusal(`--tools does not know '${token}'. It takes ${known.join(", ")}.`, {
    code: "bad-usage",
    flag: "--tools",
  });
}
