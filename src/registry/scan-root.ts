import type { Diagnostic } from "../skill/diagnostic.ts";
import { pluginId, type Skill } from "../skill/skill.ts";
import type { CatalogStore } from "./catalog-store.ts";
import { chooseFiles } from "./choose-files.ts";
import type { FileCache, FileRecord } from "./file-cache.ts";
import { createFileReader, type FileFacts } from "./file-reader.ts";
import type { FoundFile } from "./folder-tree.ts";
import { SKILL_FOLDERS } from "./layouts.ts";
import type { Pace } from "./pace.ts";
import { type Reading, readFound } from "./read-found.ts";
import type { HeadFormat, SkillHead } from "./read-skill-file.ts";
import { createRootMemory } from "./root-memory.ts";
import type { Root } from "./roots.ts";
import { tryWalk } from "./try-walk.ts";
import { createWalker, type Walk, type WalkLook } from "./walk.ts";

/** What one look showed below one root. */
export interface ScannedRoot {
  readonly walk: Walk;
  readonly enabled: readonly Skill[];
  readonly disabled: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where linked files lead: outside the folders that are watched. */
  readonly awaited: readonly string[];
  /** What each enabled skill was read from. */
  enabledReadings(): readonly ReadSkill[];
}

interface ReadSkill {
  readonly skill: Skill;
  readonly record: FileRecord<SkillHead>;
}

export interface RootScanOptions {
  readonly format: HeadFormat<SkillHead>;
  readonly cache: FileCache<SkillHead>;
  readonly store: CatalogStore | undefined;
  readonly strict: boolean;
  readonly pace: Pace;
  readonly now: () => number;
}

/** Returns a function that looks at one root; it answers with the very same value when nothing differs. */
export function createRootScanner(
  root: Root,
  { format, cache, store, strict, pace, now }: RootScanOptions,
): (look: WalkLook) => Promise<ScannedRoot> {
  const walker = createWalker({ rootDir: root.dir, layout: SKILL_FOLDERS, pace, now });
  const reader = createFileReader({
    cache,
    pace,
    besideNow: () => undefined,
    besideLater: async () => undefined,
    interpret: (found, facts: FileFacts<SkillHead, undefined>, before?: Reading) =>
      readFound(found, root, facts, before),
  });
  const key = JSON.stringify(["skills", strict, root.dir]);
  const memory = createRootMemory({ store, key, format, walker, reader, pace, now });
  let last: ScannedRoot | undefined;
  let chosen: { readonly chosen: readonly FoundFile[]; readonly diagnostics: readonly Diagnostic[] } = NONE;
  return async (look) => {
    await memory.restore();
    const { walk, unsure } = await tryWalk(root.dir, walker, pace, missingRootOf(root), look);
    if (walk !== last?.walk) chosen = chooseFiles(walk.files);
    const { readings, isSame } = await reader.read(chosen.chosen, unsure);
    if (look.remember) await memory.keep(walk.files.length);
    if (isSame && last?.walk === walk) return last;
    await pace.rest();
    last = { walk, ...sortedOut(readings, chosen.diagnostics) };
    return last;
  };
}

const NONE = { chosen: [], diagnostics: [] } as const;

function sortedOut(readings: readonly (Reading | undefined)[], first: readonly Diagnostic[]) {
  const enabled: Skill[] = [];
  const disabled: Skill[] = [];
  const diagnostics = [...first];
  const awaited: string[] = [];
  for (const reading of readings) {
    if (reading === undefined) continue;
    for (const diagnostic of reading.diagnostics) diagnostics.push(diagnostic);
    for (const place of reading.awaited) awaited.push(place);
    if (reading.skill !== undefined) (reading.disabled ? disabled : enabled).push(reading.skill);
  }
  const enabledReadings = (): readonly ReadSkill[] =>
    readings.flatMap((reading) => {
      if (reading?.skill === undefined || reading.record === undefined || reading.disabled) return [];
      return [{ skill: reading.skill, record: reading.record }];
    });
  return { enabled, disabled, diagnostics, awaited, enabledReadings };
}

/** What to say of a folder that does not exist: for most of those we look for, nothing. */
function missingRootOf(root: Root): readonly Diagnostic[] {
  return root.named ? [missingRoot(root)] : [];
}

function missingRoot(root: Root): Diagnostic {
  const message =
    root.plugin === undefined
      ? "This folder does not exist. Its skills are picked up when it appears."
      : `The plugin '${pluginId(root.plugin)}' is installed here according to installed_plugins.json, but the folder does not exist.`;
  return { severity: "warning", code: "root-missing", file: root.dir, message };
}
