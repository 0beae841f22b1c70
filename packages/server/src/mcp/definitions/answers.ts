import { answer, bool, described, integer, list, number, object, oneOf, text } from "./schema.ts";

const SUMMARY = {
  installName: described(text, "The name of its folder"),
  meta: object({ name: text, description: text }),
  skillPath: described(text, "Its folder, relative to the working directory"),
  skillFile: text,
};

/** The text of an answer, for clients that show a model the data alone. */
const MESSAGE = { "message?": text };

/** What `skills.list` answers. */
export const SKILLS_LIST = answer({
  ...MESSAGE,
  skills: list(object({ ...SUMMARY, "body?": described(text, "The text after the front matter") })),
});

/** What `skills.search` answers. */
export const SKILLS_SEARCH = answer({
  ...MESSAGE,
  query: text,
  limit: integer,
  total: described(integer, "Number of matching skills; the results are the first of them"),
  results: list(object({ ...SUMMARY, score: number, excerpt: text })),
});

const FOUND_SKILL = {
  name: described(text, "What the skill tool loads"),
  description: text,
  provider: text,
  location: oneOf("project", "user", "repo", "plugin"),
  skillPath: text,
  "skill_path?": described(text, "For a library skill: what get_skill takes"),
  score: number,
  matched: list(text),
  excerpt: text,
  "copies?": described(list(text), "The names of copies and forks of the skill"),
};

/** What `find_skills` answers. */
export const FIND_SKILLS = answer({
  ...MESSAGE,
  task: text,
  total: described(integer, "Number of skills that fit; the results are the best of them"),
  results: described(list(object(FOUND_SKILL)), "Empty when no skill fits"),
  nearest: described(list(object(FOUND_SKILL)), "When no skill fits: the nearest, which may not help"),
  confidence: described(number, "Likelihood that the first result is the right one, from 0 to 1"),
  verdict: oneOf("match", "ambiguous", "no_match"),
  "loaded?": described(
    object({ name: text, content: text }),
    "With load: the answer of the skill tool for the first result, when the verdict is match",
  ),
});

/** The answer of a library tool that failed. */
const FAILURE = { error: { type: "boolean", const: true }, message: text };

const ASSET = { file: text, description: text, type: text, "content?": text };
const SCRIPT = {
  file: text,
  description: text,
  execution: oneOf("claude", "server"),
  args: list(object({ name: text, description: text, required: bool, "default?": text })),
};

/** What `get_skill` answers: a skill, some candidates, or that there is none. */
export const GET_SKILL = answer(
  {
    skill_path: text,
    score: number,
    matched_keywords: list(text),
    content: described(text, "General rules first, then those of the skill itself"),
    assets: list(object(ASSET)),
    scripts: list(object(SCRIPT)),
    inherited_assets: list(object({ ...ASSET, from: text })),
    inherited_scripts: list(object({ ...SCRIPT, from: text })),
  },
  {
    ambiguous: bool,
    candidates: list(
      object({ skill_path: text, score: number, description: text, matched_keywords: list(text) }),
    ),
    message: text,
  },
  {
    no_match: bool,
    message: text,
    suggestions: list(object({ name: text, description: text, "skill_path?": text })),
  },
  FAILURE,
);

/** What `list_skills` answers. Its children have the same fields, to any depth. */
export const LIST_SKILLS = answer(
  {
    tree: object({
      name: text,
      path: text,
      description: text,
      keywords: list(text),
      assetCount: integer,
      scriptCount: integer,
      children: described(list({ type: "object" }), "The skills below it, with the same fields"),
    }),
  },
  FAILURE,
);

export const GET_ASSET = answer(
  {
    skill_path: text,
    file: text,
    "content?": described(text, "The text of a text file"),
    "content_base64?": described(text, "A binary file"),
    size_bytes: integer,
    type: text,
    "mime_type?": text,
    "resolved_from?": described(text, "The parent skill that it comes from"),
  },
  FAILURE,
);

/** What `run_script` answers. */
export const RUN_SCRIPT = answer(
  {
    success: bool,
    exit_code: integer,
    stdout: text,
    stderr: text,
    duration_ms: number,
    script: text,
    "stdout_truncated?": bool,
    "stderr_truncated?": bool,
    sandbox: text,
    "warning?": described(text, "What to know about how it ran, such as that it ran without a sandbox"),
  },
  FAILURE,
);

/** What `report_usage` answers. */
export const REPORT_USAGE = answer({ recorded: bool, message: text }, FAILURE);

const SYNCED = {
  "commit_hash?": text,
  "files_changed?": integer,
  "last_sync?": text,
  "failing_since?": described(text, "When the current series of failures began"),
  "message?": text,
};

/** What `refresh_skills` answers. */
export const REFRESH_SKILLS = answer(
  {
    success: bool,
    "mode?": text,
    ...SYNCED,
    "skills_reindexed?": integer,
    "repositories?": list(object({ repository: text, success: bool, ...SYNCED })),
  },
  FAILURE,
);
