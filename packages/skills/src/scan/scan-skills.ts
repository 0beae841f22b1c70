import path from "node:path";
import { type Disk, isInside, POOLED_DISK, whenReady } from "#util";
import { visibleLine } from "#util/pure";
import { type PolicyState, readPolicyState } from "../read/codex-policy-file.ts";
import { type CachedHead, type FileState, isSameTarget } from "../read/file-reader.ts";
import { type FileFailure, type Head, type SkillHead, skillHeads } from "../read/read-skill-file.ts";
import { labelOf, type Root } from "../roots/roots.ts";
import type { Diagnostic, Problem } from "../skill/diagnostic.ts";
import { POLICY_FILE, POLICY_FOLDER, withCodexPolicy } from "../skill/invocation.ts";
import { isMissingField, type ReadingRules } from "../skill/parse-skill.ts";
import { loadableName, pluginId, type RepoPlace, type Skill } from "../skill/skill.ts";
import type { CacheOptions } from "./catalog-cache.ts";
import { below, SKILL_FOLDERS } from "./listing.ts";
import { createRootScanner } from "./scan-root.ts";
import { type FoundFile, LEADS_OUT } from "./scan-state.ts";
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

interface SkillScanOptions {
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
    within: root.within,
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
 * Chooses one file per folder: `SKILL.md` before other spellings, and those before the disabled `.SKILL.md`. The files are sorted,
 * so those of one folder follow each other.
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

/** What one `SKILL.md` gave: a skill or a reason why not. */
interface SkillResult {
  readonly skill?: Skill;
  /** What it was made of. */
  readonly cached: CachedHead<SkillHead> | undefined;
  readonly settings?: PolicyState | undefined;
  readonly isDisabled: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Where a linked file leads: outside the folders that are watched. */
  readonly awaited: readonly string[];
}

/** A root, and whether its skills must be flawless. */
type SkillRoot = Root & { readonly strict?: true };

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
const NO_PROBLEMS: readonly Problem[] = [];

/** `.SKILL.md`: disabled by the user. */
function isDisabledFile(fileName: string): boolean {
  return fileName.startsWith(".");
}

/** Makes a skill from a found file; undefined when the file is gone. */
function skillResult(
  found: FoundFile,
  root: SkillRoot,
  { real, cached }: FileState<SkillHead>,
  before: SkillResult | undefined,
  settings?: PolicyState,
): SkillResult | undefined {
  const { awaited } = real;
  if (!real.ok) return failed(found, real.failure, cached, awaited);
  if (root.within !== undefined && !isInside(root.within, real.file))
    return failed(found, { code: "refused-link", message: LEADS_OUT }, cached, awaited);
  if (cached === undefined) return undefined;
  const { head } = cached;
  const isSamePlace =
    isSameTarget(before, real) && (before?.skill?.realDir ?? found.realDir) === found.realDir;
  if (before?.cached === cached && before?.settings === settings && isSamePlace) return before;
  if (!head.ok) return failed(found, head.failure, cached, awaited);
  const isDisabled = isDisabledFile(found.fileName);
  const isSame = before?.cached?.head === head && before.settings?.policy === settings?.policy && isSamePlace;
  const skill = (isSame ? before.skill : undefined) ?? makeSkill(found, root, head, real.file, settings);
  const diagnostics = isDisabled ? NO_DIAGNOSTICS : warningsOf(found, head, skill, settings);
  return { skill, cached, settings, isDisabled, awaited, diagnostics };
}

/** A disabled skill is out of sight, and so is what is wrong with it. */
function failed(
  found: FoundFile,
  failure: FileFailure,
  cached: CachedHead<SkillHead> | undefined,
  awaited: readonly string[],
): SkillResult {
  const isDisabled = isDisabledFile(found.fileName);
  const file = below(found.dir, found.fileName);
  const diagnostics = isDisabled ? NO_DIAGNOSTICS : [failureDiagnostic(file, failure)];
  return { cached, isDisabled, awaited, diagnostics };
}

function makeSkill(
  found: FoundFile,
  root: SkillRoot,
  head: GoodHead,
  realFile: string,
  settings: PolicyState | undefined,
): Skill {
  const { name, description } = head.value;
  const invocation = withCodexPolicy(head.value.invocation, settings?.policy);
  const skill: Skill = {
    name: loadableName(name) || loadableName(path.basename(found.dir)) || "unnamed",
    description,
    provider: root.provider,
    location: root.location,
    dir: found.dir,
    fileName: found.fileName,
    realDir: found.realDir,
  };
  const label = labelOf(root, found.dir);
  const { requirements } = head.value;
  const saysNothing = invocation === undefined && requirements === undefined;
  const isUsual = label === undefined && head.warnings.length === 0 && saysNothing;
  const isOwn = root.plugin === undefined && root.repo === undefined && root.strict === undefined;
  if (isOwn && !found.isLink && isUsual) return skill;
  return {
    ...skill,
    ...(invocation === undefined ? {} : { invocation }),
    ...(requirements === undefined ? {} : { requirements }),
    ...(root.plugin === undefined ? {} : { plugin: root.plugin }),
    ...(root.repo === undefined ? {} : { repo: placeIn(root.repo, found.dir) }),
    ...(found.isLink ? { linkedFile: realFile } : {}),
    ...(label === undefined ? {} : { label }),
    ...(head.warnings.some(isMissingField) ? { lenient: true } : {}),
    ...(root.strict === undefined ? {} : { strict: true }),
  };
}

/** The place of a folder in the repository of its root. */
export function placeIn({ url, commit, folder }: NonNullable<Root["repo"]>, dir: string): RepoPlace {
  return { url, path: path.relative(folder, dir).split(path.sep).join("/"), commit };
}

type GoodHead = Head<SkillHead> & { readonly ok: true };

function warningsOf(
  found: FoundFile,
  head: GoodHead,
  skill: Skill,
  settings: PolicyState | undefined,
): readonly Diagnostic[] {
  const { name } = head.value;
  const ofSettings = settings?.policy.warnings ?? NO_PROBLEMS;
  const isFlawless = head.warnings.length + ofSettings.length === 0;
  const shownDir = visibleLine(found.dir);
  const isUsual = found.fileName === "SKILL.md" && skill.name === name && shownDir === found.dir;
  if (isFlawless && isUsual) return NO_DIAGNOSTICS;
  const file = below(found.dir, found.fileName);
  const settingsFile = below(below(found.dir, POLICY_FOLDER), POLICY_FILE);
  const warnings = [
    ...head.warnings.map((problem): Diagnostic => ({ severity: "warning", file, ...problem })),
    ...ofSettings.map((problem): Diagnostic => ({ severity: "warning", file: settingsFile, ...problem })),
  ];
  if (found.fileName !== "SKILL.md") {
    const message = "It is served, but most agents only find it under the name SKILL.md. Rename it.";
    warnings.push({ severity: "warning", code: "file-name-case", file, message });
  }
  if (shownDir !== found.dir) {
    const message = `The path contains line breaks or hidden characters, so it is shown as '${shownDir}'. Rename the folder.`;
    warnings.push({ severity: "warning", code: "hidden-characters", file, message });
  }
  if (skill.name !== name && name !== "") {
    const message = `The name '${name}' cannot be typed back, so the skill is served as '${skill.name}'.`;
    warnings.push({ severity: "warning", code: "name-replaced", file, message });
  }
  return warnings;
}

export function failureDiagnostic(file: string, failure: FileFailure): Diagnostic {
  const { code, message, line } = failure;
  return { severity: "error", code, file, message, ...(line === undefined ? {} : { line }) };
}
