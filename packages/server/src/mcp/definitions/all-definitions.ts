import type { Definition } from "./definition.ts";
import {
  getAssetDefinition,
  getSkillDefinition,
  listSkillsDefinition,
  refreshSkillsDefinition,
  reportUsageDefinition,
  runScriptDefinition,
} from "./library-tools.ts";
import {
  findSkillsDefinition,
  readSkillFileDefinition,
  skillDefinition,
  skillsListDefinition,
  skillsSearchDefinition,
} from "./skill-tools.ts";
import type { ToolName } from "./tool-sets.ts";

export const DEFINITIONS: Readonly<Record<ToolName, Definition>> = {
  skill: skillDefinition,
  read_skill_file: readSkillFileDefinition,
  find_skills: findSkillsDefinition,
  "skills.list": skillsListDefinition,
  "skills.search": skillsSearchDefinition,
  get_skill: getSkillDefinition,
  list_skills: listSkillsDefinition,
  get_asset: getAssetDefinition,
  run_script: runScriptDefinition,
  report_usage: reportUsageDefinition,
  refresh_skills: refreshSkillsDefinition,
};
