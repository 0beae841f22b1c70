import { type Disk, POOLED_DISK, whenReady } from "#util";
import { readPolicyState } from "../read/codex-policy-file.ts";
import { type SkillHead, skillHeads } from "../read/read-skill-file.ts";
import { isDisabledFile, type SkillResult, type SkillRoot, skillResult } from "../read/skill-result.ts";
import { SKILL_FOLDERS } from "../roots/layouts.ts";
import type { Root } from "../roots/roots.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { ReadingRules } from "../skill/parse-skill.ts";
import { pluginId, type Skill } from "../skill/skill.ts";
import { below } from "./cached-folders.ts";
import type { CacheOptions } from "./catalog-cache.ts";
import type { FoundFile } from "./found-file.ts";
import { createRootScanner } from "./scan-root.ts";
import type { ScanContext, Traversal } from "./traverse.ts";

/** What one scan found below one root. */
export interface ScannedRoot {
  readonly traversal: Traversal;
  /** The very same list when nothing differs from the last scan. */
  readonly results: readonly SkillResult[];
  readonly enabled: readonly Skill[];
  readonly disabled: readonly Skill[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where linked files lead: outside the folders that are watched. */
  readonly awaited: readonly string[];
}

export interface SkillScanOptions {
  readonly reading?: ReadingRules;
  readonly now: () => number;
  readonly cache?: CacheOptions;
}

/** Returns a function that scans one root for Agent Skills. A second scan reads only what changed. */
export function createSkillScanner(
  root: Root,
  { reading = {}, now, cache }: SkillScanOptions,
): (context: ScanContext) => Promise<ScannedRoot> {
  let disk: Disk = POOLED_DISK;
  const strict = reading.strict === true;
  const skillRoot: SkillRoot = strict ? { ...root, strict } : root;
  const scan = createRootScanner<SkillHead, SkillResult>({
    rootDir: root.dir,
    named: root.named,
    layout: root.except === undefined ? SKILL_FOLDERS : { ...SKILL_FOLDERS, except: new Set(root.except) },
    format: skillHeads(reading),
    kind: strict ? "strict skills" : "skills",
    cache,
    now,
    ifMissing: root.named ? [missingRoot(root)] : [],
    choose: chooseFiles,
    interpret: (found, state, before) =>
      whenReady(readPolicyState(found, before?.settings, { disk, now }), (settings) =>
        skillResult(found, skillRoot, state, before, settings),
      ),
  });
  return async (context) => {
    disk = context.disk;
    const { traversal, results, diagnostics } = await scan(context);
    return { traversal, results, ...sortedOut(results, diagnostics) };
  };
}

function sortedOut(results: readonly SkillResult[], first: readonly Diagnostic[]) {
  const enabled: Skill[] = [];
  const disabled: Skill[] = [];
  const diagnostics = [...first];
  const awaited: string[] = [];
  for (const result of results) {
    for (const diagnostic of result.diagnostics) diagnostics.push(diagnostic);
    for (const place of result.awaited) awaited.push(place);
    if (result.skill !== undefined) (result.isDisabled ? disabled : enabled).push(result.skill);
  }
  return { enabled, disabled, diagnostics, awaited };
}

/**
 * Of several spellings in one folder, `SKILL.md` is the one; `.SKILL.md` beside any of them is ignored. The files are
 * sorted, so those of one folder follow each other.
 */
function chooseFiles(files: readonly FoundFile[]): { chosen: FoundFile[]; diagnostics: Diagnostic[] } {
  const chosen: FoundFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (let from = 0, end = 0; from < files.length; from = end) {
    const first = files[from] as FoundFile;
    for (end = from + 1; end < files.length && files[end]?.dir === first.dir; ) end++;
    if (end === from + 1) {
      chosen.push(first);
      continue;
    }
    const same = files.slice(from, end);
    const best =
      same.find(({ fileName }) => fileName === "SKILL.md") ??
      same.find(({ fileName }) => !isDisabledFile(fileName)) ??
      first;
    chosen.push(best);
    diagnostics.push(severalFiles(best, same));
  }
  return { chosen, diagnostics };
}

function severalFiles(best: FoundFile, all: readonly FoundFile[]): Diagnostic {
  const others = all.filter((file) => file !== best).map((file) => file.fileName);
  const message = `${others.join(" and ")} in the same folder ${others.length === 1 ? "is" : "are"} ignored. Keep one of them.`;
  const file = below(best.dir, best.fileName);
  return { severity: "warning", code: "both-enabled-and-disabled", file, message };
}

function missingRoot(root: Root): Diagnostic {
  const message =
    root.plugin === undefined
      ? "This folder does not exist. Its skills are picked up when it appears."
      : `The plugin '${pluginId(root.plugin)}' is installed here according to installed_plugins.json, but the folder does not exist.`;
  return { severity: "warning", code: "root-missing", file: root.dir, message };
}
