import path from "node:path";
import {
  type Entry,
  entriesNamed,
  isForModels,
  type LibrarySkill,
  loadableName,
  readLibraryText,
  readSkill,
  type Skill,
  type Snapshot,
} from "#skills";
import { lstat, readdir, readInside } from "#util";
import { memoizeWeak, parseJson } from "#util/pure";
import { type EvalCase, evalCasesIn } from "./engine/evals/eval-cases.ts";
import { type SearchDocument, searchDocumentOf } from "./engine/index/search-document.ts";
import type { SearchableSkills } from "./search-engine.ts";

/** A skill of either kind. */
export type Searchable =
  | { readonly kind: "skill"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill };

/** A snapshot, as the search sees it. */
export interface SearchableSnapshot extends SearchableSkills {
  /** The ids of the skills that are not listed to models. */
  readonly hidden: ReadonlySet<string>;
  find(id: string): Searchable | undefined;
  /** The ids of the skills with this name: as it is loaded, with spaces for hyphens, or as the author wrote it. */
  idsNamed(text: string): ReadonlySet<string>;
}

/** Memoized, because the tables take a few milliseconds at ten thousand skills. */
export const searchableSnapshot = memoizeWeak((snapshot: Snapshot): SearchableSnapshot => {
  const { catalog, library } = snapshot;
  const fingerprints = new Map<string, string>();
  const skills = new Map<string, Searchable>();
  const hidden = new Set<string>();
  for (const entry of catalog.entries) {
    fingerprints.set(entry.skill.dir, snapshot.fingerprints.get(entry.skill) ?? "");
    skills.set(entry.skill.dir, { kind: "skill", entry });
    if (!isForModels(entry)) hidden.add(entry.skill.dir);
  }
  for (const skill of library.skills.values()) {
    fingerprints.set(libraryId(skill), snapshot.libraryFingerprints.get(skill.path) ?? "");
    skills.set(libraryId(skill), { kind: "library", skill });
  }
  return {
    fingerprints,
    hidden,
    find: (id) => skills.get(id),
    idsNamed: (text) => idsNamed(snapshot, text),
    async read(id) {
      const found = skills.get(id);
      return found === undefined ? undefined : readSearchDocument(found, id);
    },
  };
});

/** A folder never ends in a separator, so no other skill has such an id. */
function libraryId({ path }: LibrarySkill): string {
  return `library:${path}/`;
}

/** No name is longer; longer input is not looked up. */
const LONGEST_NAME = 256;

function idsNamed({ catalog, library }: Snapshot, text: string): ReadonlySet<string> {
  const typed = text.trim();
  if (typed.length > LONGEST_NAME) return new Set();
  for (const name of [typed, typed.replace(/\s+/g, "-"), loadableName(typed)]) {
    const ids = entriesNamed(catalog.names, name).map((entry) => entry.skill.dir);
    const skill = library.skills.get(name);
    if (skill !== undefined) ids.push(libraryId(skill));
    if (ids.length > 0) return new Set(ids);
  }
  return new Set();
}

/** A skill has a handful of eval files; a folder of hundreds is a data set. */
const MOST_EVAL_FILES = 8;
const EVALS = "evals";
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
  const cases = await readEvalCases(skill.realDir);
  const evalPrompts = cases.filter(({ shouldTrigger }) => shouldTrigger).map(({ prompt }) => prompt);
  return searchDocumentOf({ id, name, description, fields, body, evalPrompts });
}

/**
 * The prompts in the eval files of a skill, each with its file below the skill's folder. Only of files that lie in that
 * folder: what a link leads to is not its text.
 */
export async function readEvalCases(realDir: string): Promise<readonly EvalCase[]> {
  const folder = path.join(realDir, EVALS);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const isFolder = entries.length > 0 && (await lstat(folder).catch(() => undefined))?.isDirectory();
  if (isFolder !== true) return [];
  const names = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => name);
  const cases: EvalCase[] = [];
  for (const name of names.sort((a, b) => (a < b ? -1 : 1)).slice(0, MOST_EVAL_FILES)) {
    cases.push(...evalCasesIn(await readJson(realDir, path.join(EVALS, name)), `${EVALS}/${name}`));
  }
  return cases;
}

/** Reads a small JSON file; undefined for anything else: a search works without evals. */
async function readJson(realDir: string, file: string): Promise<unknown> {
  const bytes = await readInside({ root: realDir, file }, LARGEST_EVAL_FILE).catch(() => undefined);
  return bytes && parseJson(bytes.toString("utf8"));
}
