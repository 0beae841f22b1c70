import type { Snapshot } from "#skills";
import { modelEntries } from "#skills";
import { FIND_SKILLS, SKILLS_LIST, SKILLS_SEARCH } from "./answers.ts";
import { ALWAYS_LOADED, type Definition, LARGE_ANSWERS, READ_ONLY, searchHint } from "./definition.ts";
import { bool, described, filled, input, integer, text } from "./schema.ts";

/** Its description is the list of skills. */
export const skillDefinition: Definition = ({ catalogue, names }) => ({
  title: "Load Skill",
  description: catalogue.description,
  inputSchema: input({
    name: described(
      names === undefined ? filled : { ...filled, enum: names },
      "Name of the skill to load (case-insensitive)",
    ),
    "offset?": described(POSITION, "Continue a long skill at this position"),
  }),
  annotations: READ_ONLY,
  _meta: {
    ...ALWAYS_LOADED,
    ...searchHint("skills, instructions, workflows, how-to for a task"),
    ...LARGE_ANSWERS,
  },
});

export const readSkillFileDefinition: Definition = () => ({
  title: "Read Skill File",
  description:
    "Read a file that belongs to a skill, such as a reference or a script that its instructions mention. The answer of the skill tool lists them under `Files:`. Text is returned as it is, other files as base64. Long files come in parts; each part says how to read on.",
  inputSchema: input({
    skill: described(filled, "Name of the skill, as the skill tool takes it"),
    path: described(filled, 'Path of the file inside the skill\'s folder, such as "references/forms.md"'),
    "offset?": described(
      { ...POSITION, default: 0 },
      "Where to begin, in characters (in bytes for base64); the part before says where it ended",
    ),
    "limit?": described(
      { ...integer, minimum: 1, maximum: LONGEST_PART, default: DEFAULT_PART },
      "Maximum number of characters (bytes for base64)",
    ),
  }),
  annotations: READ_ONLY,
  _meta: { ...searchHint("read a file of a skill"), ...LARGE_ANSWERS },
});

export const findSkillsDefinition: Definition = ({ snapshot, catalogue }) => ({
  title: "Find Skills",
  description: `Find the skills that match a task, among all ${modelEntries(snapshot.catalog).length + snapshot.library.skills.size} available. ${howToLoad(snapshot)}`,
  inputSchema: input({
    task: described(filled, "What you want to do, in a few words"),
    "limit?": described({ ...FEW, default: 5 }, "Maximum number of skills"),
    "load?": described(
      { ...bool, default: false },
      "Also load the best skill, when it clearly matches: then do not call the skill tool for it",
    ),
  }),
  outputSchema: FIND_SKILLS,
  annotations: READ_ONLY,
  _meta: {
    ...(catalogue.complete ? {} : ALWAYS_LOADED),
    ...searchHint("find, search, choose a skill for a task"),
  },
});

function howToLoad({ library }: Snapshot): string {
  const skill = "Load the one you choose with the skill tool";
  return library.skills.size === 0 ? `${skill}.` : `${skill}, or with get_skill where it has a skill_path.`;
}

export const skillsListDefinition: Definition = () => ({
  title: "List Skills",
  description:
    "List every skill with its metadata, optionally filtered by a substring and with the full text.",
  inputSchema: input({
    "query?": described(text, "Optional substring filter applied to install name, meta.name, or description"),
    "includeBody?": described(
      bool,
      "Include the SKILL.md body (minus YAML front-matter) in the structured payload",
    ),
  }),
  outputSchema: SKILLS_LIST,
  annotations: READ_ONLY,
  _meta: { ...searchHint("list all skills"), ...LARGE_ANSWERS },
});

export const skillsSearchDefinition: Definition = () => ({
  title: "Search Skills",
  description: "Search install names, metadata and the full text of skills; all keywords must be present.",
  inputSchema: input({
    query: described(filled, "Keywords to match (all whitespace-separated tokens must be present)"),
    "limit?": described({ ...FEW, default: 10 }, "Maximum number of hits"),
  }),
  outputSchema: SKILLS_SEARCH,
  annotations: READ_ONLY,
  _meta: searchHint("search the full text of skills"),
});

/** No file that is served is longer. */
export const LAST_POSITION = 16 * 1024 * 1024;
export const LONGEST_PART = 500_000;
/** About as much as most clients show. */
export const DEFAULT_PART = 50_000;

const POSITION = { ...integer, minimum: 0, maximum: LAST_POSITION };
const FEW = { ...integer, minimum: 1, maximum: 25 };
