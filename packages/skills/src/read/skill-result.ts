import path from "node:path";
import { visibleLine } from "#util/pure";
import { labelOf, type Root } from "../roots/roots.ts";
import { below } from "../scan/listing.ts";
import type { FoundFile } from "../scan/scan-state.ts";
import { POLICY_FILE, POLICY_FOLDER, withCodexPolicy } from "../skill/codex-policy.ts";
import type { Diagnostic, Problem } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/names.ts";
import { isMissingField } from "../skill/parse-skill.ts";
import type { RepoPlace, Skill } from "../skill/skill.ts";
import type { PolicyState } from "./codex-policy-file.ts";
import { type CachedHead, type FileState, isSameTarget } from "./file-reader.ts";
import type { FileFailure, Head, SkillHead } from "./read-skill-file.ts";

/** What one `SKILL.md` gave: a skill or a reason why not. */
export interface SkillResult {
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
export type SkillRoot = Root & { readonly strict?: true };

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
const NO_PROBLEMS: readonly Problem[] = [];

/** `.SKILL.md`: disabled by the user. */
export function isDisabledFile(fileName: string): boolean {
  return fileName.startsWith(".");
}

/** Makes a skill from a found file; undefined when the file is gone. */
export function skillResult(
  found: FoundFile,
  root: SkillRoot,
  { real, cached }: FileState<SkillHead>,
  before: SkillResult | undefined,
  settings?: PolicyState,
): SkillResult | undefined {
  const { awaited } = real;
  if (!real.ok) return failed(found, real.failure, cached, awaited);
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
  const isUsual = label === undefined && head.warnings.length === 0 && invocation === undefined;
  const isOwn = root.plugin === undefined && root.repo === undefined && root.strict === undefined;
  if (isOwn && !found.isLink && isUsual) return skill;
  return {
    ...skill,
    ...(invocation === undefined ? {} : { invocation }),
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
