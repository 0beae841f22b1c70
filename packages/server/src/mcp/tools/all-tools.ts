import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type ToolName, underscored } from "../definitions/tool-sets.ts";
import { skillsListTool, skillsSearchTool } from "./catalog-tools.ts";
import { findSkillsTool } from "./find-skills.ts";
import {
  getAssetTool,
  getSkillTool,
  listSkillsTool,
  refreshSkillsTool,
  reportUsageTool,
  runScriptTool,
} from "./library-tools.ts";
import { readSkillFileTool } from "./read-skill-file.ts";
import { skillTool } from "./skill.ts";
import type { Tool } from "./tool.ts";

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  skill: skillTool,
  read_skill_file: readSkillFileTool,
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

/** Finds a tool by its name, with dots or underscores. `listed` are the tools that every client sees. */
export function createToolFinder(tools: readonly Tool[], listed: readonly string[]): (name: string) => Tool {
  const byName = new Map(
    [...tools].reverse().flatMap((tool) => [
      [underscored(tool.name), tool],
      [tool.name, tool],
    ]),
  );
  return (name) => {
    const tool = byName.get(name);
    if (tool !== undefined) return tool;
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: '${name}'. This server has ${listed.join(", ")}.`,
    );
  };
}
