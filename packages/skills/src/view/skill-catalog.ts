import path from "node:path";
import { createTimeSlices, isInside } from "#util";
import { memoizeWeak, Refusal, visibleLine } from "#util/pure";
import { countWords, excerptOf, foldCase, queryWords, weighAllWords } from "../catalog/all-words.ts";
import { type Entry, resolveName } from "../catalog/catalog.ts";
import {
  createRecentReads,
  createSkillTexts,
  readBody,
  readSkill,
  realFileOf,
  type SkillTexts,
} from "../read/skill-texts.ts";
import type { Snapshot } from "../registry/registry.ts";
import { foundIn, pluginId, type Skill } from "../skill/skill.ts";
import type { SnapshotView } from "../visibility/disabled-for-client.ts";
import {
  notServedAs,
  refusalIfDisabled,
  refusalIfNotApproved,
  refusalIfWithheld,
} from "../visibility/not-served.ts";
import type { OpenViewOptions, Places } from "./skill-options.ts";

/** A skill as the catalog tools show it. */
interface SkillSummary {
  /** The name of its folder. */
  readonly installName: string;
  readonly meta: { readonly name: string; readonly description: string };
  /** Its folder and its file, relative to the working directory, with `/`. */
  readonly skillPath: string;
  readonly skillFile: string;
}

interface CatalogHit extends SkillSummary {
  /** The number of words in the query: a result contains all of them. */
  readonly score: number;
  readonly excerpt: string;
}

export interface CatalogSearch {
  readonly query: string;
  readonly limit: number;
  readonly total: number;
  readonly results: readonly CatalogHit[];
}

/** What the catalog tools cover: one root, or everything that is served. */
interface CatalogScope {
  readonly cwd: string;
  readonly root: string | undefined;
  /** Its name in answers. */
  readonly label: string;
}

export interface CatalogList {
  readonly under: string;
  readonly skills: readonly (SkillSummary & { readonly body?: string })[];
}

export type SkillCatalog = ReturnType<typeof createSkillCatalog>;

/** Lists and searches for the catalog tools. Each call scans first. */
export function createSkillCatalog({
  options: { catalogRoot },
  places: { cwd, resolve },
  refresh,
}: {
  readonly options: OpenViewOptions;
  readonly places: Places;
  readonly refresh: () => Promise<Snapshot>;
}) {
  const root = catalogRoot === undefined ? undefined : resolve(catalogRoot);
  const scope = { cwd, root, label: catalogRoot ?? cwd };
  const texts = createSkillTexts();
  return {
    list: async (wanted: { readonly query: string; readonly includeBody: boolean }, view: SnapshotView) =>
      listCatalog(skillsInScope(view(await refresh()), scope), scope, wanted),
    search: async (wanted: { readonly query: string; readonly limit: number }, view: SnapshotView) => {
      const snapshot = view(await refresh());
      return searchAllWords(snapshot, skillsInScope(snapshot, scope), scope, texts, wanted);
    },
  };
}

/** Every SKILL.md in scope whose folder name, name or description contains the query. */
async function listCatalog(
  skills: readonly Skill[],
  scope: CatalogScope,
  { query, includeBody }: { readonly query: string; readonly includeBody: boolean },
): Promise<CatalogList> {
  const wanted = foldCase(query);
  const summaries: CatalogList["skills"][number][] = [];
  const slices = createTimeSlices();
  for (const skill of skills) {
    await slices.yieldIfDue();
    const summary = summaryOf(skill, scope.cwd);
    const { installName, meta } = summary;
    if (![installName, meta.name, meta.description].some((text) => foldCase(text).includes(wanted))) continue;
    if (!includeBody) {
      summaries.push(summary);
      continue;
    }
    const body = await readBody(skill);
    summaries.push(body === undefined ? summary : { ...summary, body });
  }
  return { under: scope.label, skills: summaries };
}

/** The skills in scope that contain every word of the query, those that have them in their names first. */
async function searchAllWords(
  snapshot: Snapshot,
  skills: readonly Skill[],
  scope: CatalogScope,
  texts: SkillTexts,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<CatalogSearch> {
  const words = queryWords(query);
  const counted = countWords(words);
  const hits: { readonly skill: Skill; readonly weight: number }[] = [];
  if (words.length > 0) {
    const all = await texts.of(skills, snapshot.fingerprints);
    const slices = createTimeSlices();
    for (const [index, skill] of skills.entries()) {
      const found = all[index];
      const weight = found === undefined ? undefined : weighAllWords(found, counted);
      if (weight !== undefined) hits.push({ skill, weight });
      await slices.yieldIfDue();
    }
  }
  // `skills` are in order of their names and `sort` is stable, so equal weights stay in that order.
  hits.sort((a, b) => b.weight - a.weight);
  const results = await Promise.all(
    hits.slice(0, limit).map(async ({ skill }): Promise<CatalogHit> => {
      const summary = summaryOf(skill, scope.cwd);
      const body = (await readBody(skill)) ?? "";
      const around = (text: string): string | undefined => excerptOf(text, [...counted.keys()]);
      // Without any, the file changed since it was searched.
      const excerpt = around(body) ?? around(skill.description) ?? around(nameLine(summary)) ?? "";
      return { ...summary, score: words.length, excerpt };
    }),
  );
  return { query, limit, total: hits.length, results };
}

/** The names of a skill, before what it does. */
function nameLine({ installName, meta: { name, description } }: SkillSummary): string {
  const names = installName === name ? name : `${installName} (${name})`;
  return `${names}: ${description}`;
}

/** Shadowed skills count too: the catalog shows files, not names. */
function skillsInScope({ catalog, notServed }: Snapshot, { root }: CatalogScope): readonly Skill[] {
  const all = [...catalog.entries, ...notServedAs(notServed, "shadowed")].map(({ skill }) => skill);
  const inScope = root === undefined ? all : all.filter((skill) => isInside(root, foundIn(skill)));
  return inScope
    .map((skill) => ({ skill, key: `${path.basename(skill.dir)}\0${skill.dir}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ skill }) => skill);
}

function summaryOf(skill: Skill, cwd: string): SkillSummary {
  return {
    installName: visibleLine(path.basename(skill.dir)),
    meta: { name: skill.name, description: skill.description },
    skillPath: relativePath(skill.dir, cwd),
    skillFile: relativePath(path.join(skill.dir, skill.fileName), cwd),
  };
}

function relativePath(file: string, cwd: string): string {
  return visibleLine(path.relative(cwd, file).split(path.sep).join("/") || ".");
}

export interface LoadedSkill {
  readonly entry: Entry;
  /** The file, byte for byte. */
  readonly text: string;
  /** Its front matter as data, and where the text after it begins. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bodyStart: number;
  /** Where its plugin is installed. */
  readonly pluginRoot?: string;
}

/** Finds a skill by name and reads its file as it is now. Returns one and the same object while the file does not change. */
export async function loadSkill(snapshot: Snapshot, name: string): Promise<LoadedSkill> {
  return loaderOf(snapshot)(findSkill(snapshot, name));
}

const loaderOf = memoizeWeak((snapshot: Snapshot) =>
  createRecentReads({
    fileOf: ({ skill }: Entry) => realFileOf(skill),
    read: (entry) => loadEntry(snapshot, entry),
  }),
);

async function loadEntry(snapshot: Snapshot, entry: Entry) {
  const loaded = await readSkill(entry.skill);
  if (loaded.ok) {
    const { text, stats, skill } = loaded;
    const { fields, bodyStart } = skill;
    const value: LoadedSkill = { entry, text, fields, bodyStart, ...pluginRootOf(snapshot, entry.skill) };
    return { value, stats };
  }
  throw new Refusal(
    `Skill '${entry.listedAs}' was found, but ${path.join(entry.skill.dir, entry.skill.fileName)} cannot be served. ${loaded.failure.message}`,
    { code: "unreadable-skill", name: entry.listedAs, file: realFileOf(entry.skill) },
  );
}

function pluginRootOf({ roots }: Snapshot, { plugin, dir }: Skill): { readonly pluginRoot?: string } {
  if (plugin === undefined) return {};
  const root = roots.find(
    (each) =>
      each.plugin !== undefined && pluginId(each.plugin) === pluginId(plugin) && isInside(each.dir, dir),
  );
  return root === undefined ? {} : { pluginRoot: root.dir };
}

/** The skill that a name stands for. */
export function findSkill(snapshot: Snapshot, name: string): Entry {
  const { catalog, library } = snapshot;
  try {
    return resolveName(catalog, name, "models");
  } catch (error) {
    const refusal =
      refusalIfDisabled(snapshot, name) ??
      refusalIfNotApproved(snapshot, name) ??
      refusalIfWithheld(snapshot, name);
    if (refusal !== undefined) throw refusal;
    if (!(error instanceof Refusal) || !library.skills.has(name)) throw error;
    throw new Refusal(
      `'${name}' is a library skill: call get_skill with skill_path '${name}' to load it.`,
      { code: "invalid-name", name },
      { cause: error },
    );
  }
}
