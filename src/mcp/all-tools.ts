import type { Tool } from "./tool.ts";
import type { ToolName } from "./tool-sets.ts";
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
