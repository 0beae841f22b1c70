import { GET_ASSET, GET_SKILL, LIST_SKILLS, REFRESH_SKILLS, REPORT_USAGE, RUN_SCRIPT } from "./answers.ts";
import { type Definition, READ_ONLY } from "./definition.ts";
import { bool, described, filled, input, text } from "./schema.ts";

const SKILL_PATH = described(filled, "Skill path");

export const getSkillDefinition: Definition = () => ({
  title: "Get Skill",
  description:
    "Find the library skill that matches a task and get its content: the rules and patterns to follow, general ones first, with its assets and scripts. Describe the task in a few words. An ambiguous answer lists candidates: call again with the skill_path of one.",
  // A path alone would do, but a model should describe its task.
  inputSchema: input({
    context: described(text, "Free-text description of the task"),
    "skill_path?": described(
      filled,
      "The path of one skill, for example from an ambiguous answer; it is returned regardless of the context",
    ),
  }),
  outputSchema: GET_SKILL,
  annotations: READ_ONLY,
});

export const listSkillsDefinition: Definition = () => ({
  title: "List Library Skills",
  description: "Browse the skills of the library as a tree: all of them, or those below a path.",
  inputSchema: input({ "path?": described(text, 'Sub-tree, such as "ui" or "api/_index"') }),
  outputSchema: LIST_SKILLS,
  annotations: READ_ONLY,
});

export const getAssetDefinition: Definition = () => ({
  title: "Get Asset",
  description:
    "Get the content of an asset or script that get_skill listed for a skill, its own or inherited. Binary files come as base64.",
  inputSchema: input({
    skill_path: SKILL_PATH,
    file: described(filled, "Relative file path within the resource directory, as get_skill lists it"),
  }),
  outputSchema: GET_ASSET,
  annotations: READ_ONLY,
});

export const runScriptDefinition: Definition = () => ({
  title: "Run Script",
  description:
    'Run a script that get_skill listed with execution "server", its own or inherited, in a controlled environment on the server. Arguments reach it as SKILL_ARG_<NAME> environment variables.',
  inputSchema: input({
    skill_path: SKILL_PATH,
    file: described(filled, "Script file path, as get_skill lists it"),
    args: described(
      { type: "object", propertyNames: text, additionalProperties: text },
      "Named arguments; {} for none",
    ),
    "cwd?": described(text, "Working directory inside the project; default: the server's own"),
  }),
  outputSchema: RUN_SCRIPT,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
});

export const reportUsageDefinition: Definition = () => ({
  title: "Report Usage",
  description: "Tell the authors of a skill whether it was useful for your task.",
  inputSchema: input({
    skill_path: SKILL_PATH,
    useful: described(bool, "Whether the skill helped"),
    "comment?": described({ ...text, maxLength: 10_000 }, "What was missing, wrong or good"),
  }),
  outputSchema: REPORT_USAGE,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
});

export const refreshSkillsDefinition: Definition = () => ({
  title: "Refresh Skills",
  description: "Fetch the latest version of the skill library, if it comes from git, and read it again.",
  inputSchema: input({}),
  outputSchema: REFRESH_SKILLS,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
});
