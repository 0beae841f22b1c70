import { rm } from "node:fs/promises";
import path from "node:path";
import {
  findProjectFile,
  hasFileSettings,
  mayHaveProjectFile,
  ownConfigFile,
  readFileSettings,
} from "#config";
import type { Entry, Snapshot } from "#skills";
import { disabledFile } from "#skills";
import { createTimeSlices, fingerprintAt, NO_LOG, ownFolderIn, replaceCacheFile, runSteps } from "#util";
import {
  EMPTY_INDEX,
  indexOfSegment,
  type SearchIndex,
  updateIndex,
  wholeSegment,
} from "../engine/index/search-index.ts";
import type { SearchIndexSource } from "../lazy-search.ts";
import { checkPlaces, formatHints, type HintSkill, hintFiles } from "./hint-file.ts";

/** A skill that may be suggested to one agent. */
interface SuggestibleSkill {
  readonly entry: Entry;
  /** The agent reads it by itself. */
  readonly isNative: boolean;
}

interface HintRequest {
  readonly client: string;
  /** The flags of the hook, which decide what is served. */
  readonly flags: readonly string[];
  readonly home: string;
  readonly cwd: string;
}

/** More take too long to check before a prompt; the hints are also written again after some minutes. */
const MOST_PLACES = 300;

/** Writes what `hook run` needs in this folder: the index of the skills that it may suggest, and their names. */
export async function writeHints(
  app: SearchIndexSource,
  { surroundings }: Snapshot,
  skills: readonly SuggestibleSkill[],
  { client, flags, home, cwd }: HintRequest,
): Promise<void> {
  const ownFolder = ownFolderIn(home);
  const projectFile = await findProjectFile(cwd, home);
  const settings = [
    ...[disabledFile(ownFolder), ownConfigFile(home), path.join(ownFolder, "synonyms.yaml")],
    ...(projectFile === undefined ? [] : [projectFile]),
  ];
  // Before the skills are read: a change in between makes the hints old, and is not missed.
  const head = {
    settings: checkPlaces(settings),
    places: checkPlaces(surroundings().slice(0, MOST_PLACES)),
    hasProjectFile: mayHaveProjectFile(cwd, home),
    history: await recordsHistory(cwd, home),
  };
  const hinted = skills.map(hintOf);
  const { index, synonyms } = await app.searchIndex();
  const kept = new Set(skills.map(({ entry }) => entry.skill.dir));
  const hints = {
    head: { ...head, synonyms: [...synonyms] },
    skills: hinted,
    index: await only(index, kept),
  };
  const file = hintFiles(home, client, flags).forFolder(cwd);
  await replaceCacheFile(file, async () => formatHints(hints), Date.now());
  await rm(file.replace(/idx$/, "started"), { force: true });
}

function hintOf({ entry: { skill, listedAs }, isNative }: SuggestibleSkill): HintSkill {
  const { dir, realDir, fileName, linkedFile, name, plugin, location } = skill;
  const file = linkedFile ?? path.join(realDir, fileName);
  const native = plugin === undefined ? name : `${plugin.name}:${name}`;
  return [dir, isNative ? native : listedAs, file, fingerprintAt(file), isNative, location === "project"];
}

/**
 * The index without the skills that must not be suggested, as one segment. Its vectors are not written: the table of words that
 * they need would take as long to load as everything else.
 */
async function only(index: SearchIndex, kept: ReadonlySet<string>): Promise<SearchIndex> {
  const slices = createTimeSlices();
  const removed = index.views.flatMap(({ segment }) => segment.ids.filter((id) => !kept.has(id)));
  const left = await runSteps(updateIndex(index, { removed, added: [] }), slices);
  if (left.size === 0) return EMPTY_INDEX;
  const segment = await runSteps(wholeSegment(left), slices);
  return runSteps(indexOfSegment(segment), slices);
}

async function recordsHistory(cwd: string, home: string): Promise<boolean> {
  if (!hasFileSettings({ cwd, home })) return true;
  const { own, problems } = await readFileSettings({ cwd, home }, NO_LOG);
  return problems.length === 0 && own.get("analytics.history")?.value !== false;
}
