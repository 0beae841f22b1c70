import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { readWholeAs, SKILL_FOLDERS } from "#skills";
import { describeError, writeFileAtomic } from "#util";
import { Refusal } from "#util/pure";
import { fixText } from "../rules/fix-text.ts";
import type { ValidatedFile } from "./check-folder.ts";

/** A file before and after its correction. */
export interface FixedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** The rules that it no longer breaks. */
  readonly rules: readonly string[];
}

/** Corrects what can be corrected without guessing. With `dryRun` nothing is written. */
export async function fixFiles(
  files: readonly ValidatedFile[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<readonly FixedFile[]> {
  const fixed: FixedFile[] = [];
  for (const { file, findings } of files) {
    const fix = findings.length === 0 ? undefined : await planFix(file);
    if (fix === undefined) continue;
    if (!dryRun) await writeFix(fix);
    fixed.push(fix);
  }
  return fixed;
}

/** The correction of one file; undefined where there is nothing that can be corrected without guessing. */
export async function planFix(file: string): Promise<FixedFile | undefined> {
  if (!SKILL_FOLDERS.isSkillFile(path.basename(file))) return undefined;
  const before = await readText(file);
  if (before === undefined) return undefined;
  const { text: after, rules } = fixText(before);
  return rules.length === 0 ? undefined : { file, before, after, rules };
}

async function readText(file: string): Promise<string | undefined> {
  // It may be gone by now.
  const target = await realpath(file).catch(() => undefined);
  if (target === undefined) return undefined;
  const loaded = await readWholeAs(target, (text) => ({ ok: true, skill: text }));
  return loaded.ok ? loaded.text : undefined;
}

/** Writes it, if the file is still as it was. */
export async function writeFix({ file, before, after }: Omit<FixedFile, "rules">): Promise<void> {
  const refuse = (reason: string, cause?: unknown): Refusal =>
    new Refusal(`${file} was not changed: ${reason}.`, { code: "cannot-write", file }, { cause });
  try {
    // A link stays a link.
    const target = await realpath(file);
    const { mode } = await stat(target);
    if ((await readText(file)) !== before)
      throw refuse("somebody else has changed it in the meantime; look at it, and try again");
    await writeFileAtomic(target, after, { mode: mode & 0o777, flush: true });
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(describeError(error), error);
  }
}
