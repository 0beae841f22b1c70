import path from "node:path";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { loadableName } from "../../skill/names.ts";
import type { Skill } from "../../skill/skill.ts";
import type { Root } from "../roots/roots.ts";
import { isDisabled } from "../scan/choose-files.ts";
import { below, type FoundFile } from "../scan/folder-tree.ts";
import type { FileRecord } from "./file-cache.ts";
import type { FileFacts } from "./file-reader.ts";
import type { FileFailure, Head, SkillHead } from "./read-skill-file.ts";

/** What one found file gave: a skill or a reason why not. */
export interface Reading {
  readonly skill?: Skill;
  /** What it was made of. */
  readonly record: FileRecord<SkillHead> | undefined;
  readonly disabled: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly awaited: readonly string[];
}

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/** Makes a skill of its root of what was found; undefined when the file is gone. */
export function readFound(
  found: FoundFile,
  root: Root,
  { real, record }: FileFacts<SkillHead, undefined>,
  before: Reading | undefined,
): Reading | undefined {
  const { awaited } = real;
  const leadsToSame = real.ok && (!found.isLink || before?.skill?.linkedFile === real.file);
  if (leadsToSame && before !== undefined && before.record === record) return before;
  if (!real.ok) return failed(found, real.failure, record, awaited);
  if (record === undefined) return undefined;
  const { head } = record;
  if (!head.ok) return failed(found, head.failure, record, awaited);
  const disabled = isDisabled(found);
  const isSame = before?.record?.head === head && before.skill?.linkedFile === linkedFile(found, real.file);
  const skill = (isSame ? before.skill : undefined) ?? makeSkill(found, root, head.value, real.file);
  const diagnostics = disabled ? NO_DIAGNOSTICS : warningsOf(found, head, skill);
  return { skill, record, disabled, awaited, diagnostics };
}

/** A disabled skill is out of sight, and so is what is wrong with it. */
function failed(
  found: FoundFile,
  failure: FileFailure,
  record: FileRecord<SkillHead> | undefined,
  awaited: readonly string[],
): Reading {
  const disabled = isDisabled(found);
  const diagnostics = disabled ? NO_DIAGNOSTICS : [failureDiagnostic(shownFile(found), failure)];
  return { record, disabled, awaited, diagnostics };
}

function shownFile(found: FoundFile): string {
  return below(found.dir, found.fileName);
}

function linkedFile(found: FoundFile, realFile: string): string | undefined {
  return found.isLink ? realFile : undefined;
}

function makeSkill(found: FoundFile, root: Root, head: SkillHead, realFile: string): Skill {
  const skill: Skill = {
    name: loadableName(head.name) || loadableName(path.basename(found.dir)) || "unnamed",
    description: head.description,
    provider: root.provider,
    location: root.location,
    dir: found.dir,
    fileName: found.fileName,
    realDir: found.realDir,
  };
  if (root.plugin === undefined && !found.isLink) return skill;
  return {
    ...skill,
    ...(root.plugin === undefined ? {} : { plugin: root.plugin }),
    ...(found.isLink ? { linkedFile: realFile } : {}),
  };
}

function warningsOf(
  found: FoundFile,
  head: Head<SkillHead> & { ok: true },
  skill: Skill,
): readonly Diagnostic[] {
  const { name } = head.value;
  if (head.warnings.length === 0 && found.fileName === "SKILL.md" && skill.name === name)
    return NO_DIAGNOSTICS;
  const file = shownFile(found);
  const warnings = head.warnings.map((problem): Diagnostic => ({ severity: "warning", file, ...problem }));
  if (found.fileName !== "SKILL.md") {
    const message = "It is served, but most agents only see it when it is called SKILL.md. Rename it.";
    warnings.push({ severity: "warning", code: "file-name-case", file, message });
  }
  if (skill.name !== name) {
    const message = `The name '${name}' cannot be typed back, so the skill is served as '${skill.name}'.`;
    warnings.push({ severity: "warning", code: "name-replaced", file, message });
  }
  return warnings;
}

export function failureDiagnostic(file: string, failure: FileFailure): Diagnostic {
  const { code, message, line } = failure;
  return { severity: "error", code, file, message, ...(line === undefined ? {} : { line }) };
}
