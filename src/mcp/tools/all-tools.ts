import type { ToolName } from "../definitions/tool-sets.ts";
import { findSkillsTool } from "./find-skills.ts";
import { getAssetTool } from "./get-asset.ts";
import { getSkillTool } from "./get-skill.ts";
import { listSkillsTool } from "./list-skills.ts";
import { refreshSkillsTool } from "./refresh-skills.ts";
import { reportUsageTool } from "./report-usage.ts";
import { runScriptTool } from "./run-script.ts";
import { skillTool } from "./skill.ts";
import { skillsListTool } from "./skills-list.ts";
import { skillsSearchTool } from "./skills-search.ts";
import type { Tool } from "./tool.ts";

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  skill: skillTool,
  find_skills: findSkillsTool,
  "skills.list": skillsListTool,
  "skills.search": skillsSearchTool,
  get_skill: getSkillTool,
  list_skills: listSkillsTool,
  get_asset: getAssetTool,
  run_script: runScriptTool,
  report_usage: reportUsageTool,
  refresh_skills: refreshSkillsTool,
};

export function toolsOf(names: readonly ToolName[]): readonly Tool[] {
  return names.map((name) => TOOLS[name]);
}
