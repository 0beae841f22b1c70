import path from "node:path";
import {
  type Audience,
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
import { type SearchDocument, searchDocumentOf } from "./engine/index/build-segment.ts";
import type { SearchableSkills } from "./search-engine.ts";

/** A skill of either kind. */
export type Searchable =
  | { readonly kind: "skill"; readonly entry: Entry }
  | { readonly kind: "library"; readonly skill: LibrarySkill };

/** A snapshot, as the search sees it. */
export interface SearchableSnapshot {
  /** What is indexed: the same for every client. */
  readonly indexed: SearchableSkills;
  /** The ids of indexed skills that must not be found: not served, or not for models. */
  notFor(audience: Audience): ReadonlySet<string>;
  find(id: string): Searchable | undefined;
  /** The ids of the skills with this name: as it is loaded, with spaces for hyphens, or as the author wrote it. */
  idsNamed(text: string): ReadonlySet<string>;
}

/** Memoized, because the tables take a few milliseconds at ten thousand skills. */
export const searchableSnapshot = memoizeWeak((snapshot: Snapshot): SearchableSnapshot => {
  const { catalog, library, whole } = snapshot;
  const skills = new Map<string, Searchable>();
  const notForModels: string[] = [];
  for (const entry of catalog.entries) {
    skills.set(entry.skill.dir, { kind: "skill", entry });
    if (!isForModels(entry)) notForModels.push(entry.skill.dir);
  }
  for (const skill of library.skills.values()) skills.set(libraryId(skill), { kind: "library", skill });
  const indexed = whole === undefined ? indexedSkills(snapshot, skills) : searchableSnapshot(whole).indexed;
  const notServed =
    whole === undefined ? [] : [...indexed.fingerprints.keys()].filter((id) => !skills.has(id));
  const leftOut = { people: new Set(notServed), models: new Set([...notServed, ...notForModels]) };
  return {
    indexed,
    notFor: (audience) => leftOut[audience],
    find: (id) => skills.get(id),
    idsNamed: (text) => idsNamed(snapshot, text),
  };
});

function indexedSkills(snapshot: Snapshot, skills: ReadonlyMap<string, Searchable>): SearchableSkills {
  const fingerprints = new Map<string, string>();
  for (const [id, found] of skills) {
    const fingerprint =
      found.kind === "skill"
        ? snapshot.fingerprints.get(found.entry.skill)
        : snapshot.libraryFingerprints.get(found.skill.path);
    fingerprints.set(id, fingerprint ?? "");
  }
  return {
    fingerprints,
    async read(id) {
      const found = skills.get(id);
      return found === undefined ? undefined : readSearchDocument(found, id);
    },
  };
}

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
