import path from "node:path";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/names.ts";
import type { Skill } from "../skill/skill.ts";
import { isDisabled } from "./choose-files.ts";
import type { FileCache } from "./file-cache.ts";
import type { FileFailure, Head, SkillHead } from "./read-skill-file.ts";
import { realFile } from "./real-file.ts";
import type { Root } from "./roots.ts";
import type { FoundFile } from "./walk.ts";

/** What one found file gave: a skill or a reason why not. */
export interface Reading {
  readonly skill?: Skill;
  /** Changes whenever the file was read again. */
  readonly revision?: string;
  readonly disabled: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly awaited: readonly string[];
}

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

/** Reads a found file into a skill of its root; undefined when the file is gone. */
export async function readFound(
  found: FoundFile,
  root: Root,
  cache: FileCache<SkillHead, Skill>,
): Promise<Reading | undefined> {
  const shown = path.join(found.dir, found.fileName);
  const disabled = isDisabled(found);
  const real = await realFile(found);
  const { awaited } = real;
  // A disabled skill is out of sight, and so is what is wrong with it.
  const failed = (failure: FileFailure): Reading => {
    return {
      disabled,
      awaited,
      diagnostics: disabled ? NO_DIAGNOSTICS : [failureDiagnostic(shown, failure)],
    };
  };
  if (!real.ok) return failed(real.failure);
  const record = await cache.head(real.file);
  if (record === undefined) return undefined;
  const { head, made, revision } = record;
  if (!head.ok) return failed(head.failure);
  let skill = made.find((known) => isSkillOf(known, found, root));
  if (skill === undefined) {
    skill = makeSkill(found, root, head.value, real.file);
    made.push(skill);
  }
  const diagnostics = disabled ? NO_DIAGNOSTICS : warningsOf(shown, found, head, skill);
  return { skill, revision, disabled, awaited, diagnostics };
}

function makeSkill(found: FoundFile, root: Root, head: SkillHead, realFile: string): Skill {
  return {
    name: loadableName(head.name) || loadableName(path.basename(found.dir)) || "unnamed",
    description: head.description,
    provider: root.provider,
    location: root.location,
    dir: found.dir,
    fileName: found.fileName,
    realDir: found.realDir,
    ...(root.plugin === undefined ? {} : { plugin: root.plugin }),
    ...(found.isLink ? { linkedFile: realFile } : {}),
  };
}

function isSkillOf(skill: Skill, found: FoundFile, root: Root): boolean {
  return (
    skill.dir === found.dir &&
    skill.fileName === found.fileName &&
    skill.realDir === found.realDir &&
    skill.provider === root.provider &&
    skill.location === root.location &&
    skill.plugin?.name === root.plugin?.name &&
    skill.plugin?.marketplace === root.plugin?.marketplace
  );
}

function warningsOf(
  file: string,
  found: FoundFile,
  head: Head<SkillHead> & { ok: true },
  skill: Skill,
): readonly Diagnostic[] {
  const { name } = head.value;
  if (head.warnings.length === 0 && found.fileName === "SKILL.md" && skill.name === name)
    return NO_DIAGNOSTICS;
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
