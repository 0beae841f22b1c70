import path from "node:path";
import type { LibrarySkill } from "../../catalog/library/library.ts";
import { readLibraryText } from "../../registry/read/library-texts.ts";
import { readSkill } from "../../registry/read/skill-texts.ts";
import {
  evalPromptsIn,
  type SearchDocument,
  searchDocumentOf,
} from "../../search/engine/index/search-document.ts";
import type { Skill } from "../../skill/skill.ts";
import { readdir, withOpenFile } from "../../system/files/file-system.ts";
import type { Searchable } from "./searchable.ts";

/** A skill has a handful of eval files; a folder of hundreds is a data set. */
const MOST_EVAL_FILES = 8;
const LARGEST_EVAL_FILE = 256 * 1024;

/** Reads everything of a skill that is searched; undefined when its file can no longer be read. */
export function readSearchDocument(found: Searchable, id: string): Promise<SearchDocument | undefined> {
  return found.kind === "skill"
    ? readSkillDocument(found.entry.skill, id)
    : readLibraryDocument(found.skill, id);
}

async function readLibraryDocument(skill: LibrarySkill, id: string): Promise<SearchDocument | undefined> {
  const loaded = await readLibraryText(skill);
  if (!loaded.ok) return undefined;
  const { fields, body } = loaded;
  const name = skill.path.replace(/(?:^|\/)_(?:index|root)$/, "");
  return searchDocumentOf({ id, name, description: skill.description, fields, body, evalPrompts: [] });
}

async function readSkillDocument(skill: Skill, id: string): Promise<SearchDocument | undefined> {
  const loaded = await readSkill(skill);
  if (!loaded.ok) return undefined;
  const { name, description } = skill;
  const { fields, bodyStart } = loaded.skill;
  const body = loaded.text.slice(bodyStart);
  const evalPrompts = await readEvalPrompts(path.join(skill.realDir, "evals"));
  return searchDocumentOf({ id, name, description, fields, body, evalPrompts });
}

async function readEvalPrompts(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => name);
  const prompts: string[] = [];
  for (const name of names.sort((a, b) => (a < b ? -1 : 1)).slice(0, MOST_EVAL_FILES)) {
    prompts.push(...evalPromptsIn(await readJson(path.join(folder, name))));
  }
  return prompts;
}

/** Undefined for anything that is not a small JSON file: evals help, and nothing depends on them. */
async function readJson(file: string): Promise<unknown> {
  try {
    return await withOpenFile(file, async ({ stats, readStart }) => {
      if (!stats.isFile() || stats.size > LARGEST_EVAL_FILE) return undefined;
      return JSON.parse((await readStart(stats.size)).toString("utf8")) as unknown;
    });
  } catch {
    return undefined;
  }
}
