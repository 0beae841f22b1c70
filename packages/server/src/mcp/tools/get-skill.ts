import { array, boolean, literal, number, object, strictObject, string } from "zod";
import { libraryTool } from "./library-tool.ts";
import { LONGEST_TASK, READ_ONLY } from "./tool.ts";

const ASSET = { file: string(), description: string(), type: string(), content: string().optional() };
const SCRIPT = {
  file: string(),
  description: string(),
  execution: literal(["claude", "server"]),
  network: boolean().optional().describe("True: it declares that it needs the network"),
  args: array(
    object({
      name: string(),
      description: string(),
      required: boolean(),
      default: string().optional(),
    }),
  ),
};

/** Answers with the library skill that matches a task, with some candidates, or that there is none. */
export const getSkill = libraryTool({
  name: "get_skill",
  position: 1,
  title: "Get Skill",
  description:
    "Find the library skill that matches a task and get its content: the rules and patterns to follow, general ones first, with its assets and scripts. Describe the task in a few words. An ambiguous answer lists candidates: call again with the skill_path of one.",
  annotations: READ_ONLY,
  input: strictObject({
    context: string().max(LONGEST_TASK).optional().describe("Free-text description of the task"),
    skill_path: string()
      .min(1, "The skill_path cannot be empty")
      .optional()
      .describe(
        "The path of one skill, for example from an ambiguous answer; it is returned regardless of the context",
      ),
  })
    .refine((given) => given.context !== undefined || given.skill_path !== undefined, {
      path: ["context"],
      message: "it is required, unless a skill_path is given",
    })
    // A path alone would do, but a model should describe its task, so clients are told that it must.
    .meta({ required: ["context"] }),
  outputs: [
    object({
      skill_path: string(),
      score: number(),
      matched_keywords: array(string()),
      content: string().describe("General rules first, then those of the skill itself"),
      assets: array(object(ASSET)),
      scripts: array(object(SCRIPT)),
      inherited_assets: array(object({ ...ASSET, from: string() })),
      inherited_scripts: array(object({ ...SCRIPT, from: string() })),
    }),
    object({
      ambiguous: boolean(),
      candidates: array(
        object({
          skill_path: string(),
          score: number(),
          description: string(),
          matched_keywords: array(string()),
        }),
      ),
      message: string(),
    }),
    object({
      no_match: boolean(),
      message: string(),
      suggestions: array(object({ name: string(), description: string(), skill_path: string().optional() })),
    }),
  ],
  run: (library, given) => library.getSkill({ context: given.context ?? "", skillPath: given.skill_path }),
});
