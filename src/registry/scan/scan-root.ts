import { inTurn } from "../../catalog/steps.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { pluginId, type Skill } from "../../skill/skill.ts";
import { type Pace, runPaced } from "../../system/time-slice.ts";
import type { CatalogStore } from "../cache/catalog-store.ts";
import { createRootMemory } from "../cache/root-memory.ts";
import type { FileCache } from "../read/file-cache.ts";
import { createFileReader, type FileFacts } from "../read/file-reader.ts";
import { type Reading, readFound } from "../read/read-found.ts";
import type { HeadFormat, SkillHead } from "../read/read-skill-file.ts";
import { SKILL_FOLDERS } from "../roots/layouts.ts";
import type { Root } from "../roots/roots.ts";
import { chooseFiles } from "./choose-files.ts";
import type { FoundFile } from "./folder-tree.ts";
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
  /** What everything was made of; undefined for a file that is gone. */
  readonly readings: readonly (Reading | undefined)[];
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
    last = { walk, ...(await runPaced(sortedOut(readings, chosen.diagnostics), pace)) };
    return last;
  };
}

const NONE = { chosen: [], diagnostics: [] } as const;

function* sortedOut(readings: readonly (Reading | undefined)[], first: readonly Diagnostic[]) {
  const enabled: Skill[] = [];
  const disabled: Skill[] = [];
  const diagnostics = [...first];
  const awaited: string[] = [];
  yield* inTurn(readings, (reading) => {
    if (reading === undefined) return;
    for (const diagnostic of reading.diagnostics) diagnostics.push(diagnostic);
    for (const place of reading.awaited) awaited.push(place);
    if (reading.skill !== undefined) (reading.disabled ? disabled : enabled).push(reading.skill);
  });
  return { enabled, disabled, diagnostics, awaited, readings };
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
