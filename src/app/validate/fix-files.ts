import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { readWholeAs } from "../../registry/read/read-skill-file.ts";
import { SKILL_FOLDERS } from "../../registry/roots/layouts.ts";
import { fixText } from "../../skill/check/fix-text.ts";
import { Refusal } from "../../skill/refusal.ts";
import { writeFileAtomic } from "../../system/files/atomic-write.ts";
import { describeError } from "../../system/files/file-system.ts";
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
    if (findings.length === 0 || !SKILL_FOLDERS.isSkillFile(path.basename(file))) continue;
    const before = await readText(file);
    if (before === undefined) continue;
    const { text: after, rules } = fixText(before);
    if (rules.length === 0) continue;
    if (!dryRun) await replace(file, before, after);
    fixed.push({ file, before, after, rules });
  }
  return fixed;
}

async function readText(file: string): Promise<string | undefined> {
  const loaded = await readWholeAs(await realpath(file), (text) => ({ ok: true, skill: text }));
  return loaded.ok ? loaded.text : undefined;
}

async function replace(file: string, before: string, after: string): Promise<void> {
  const refuse = (reason: string, cause?: unknown): Refusal =>
    new Refusal(`${file} was not corrected: ${reason}.`, { code: "cannot-write", file }, { cause });
  try {
    // A link stays a link.
    const target = await realpath(file);
    const { mode } = await stat(target);
    if ((await readText(file)) !== before) throw refuse("it was changed at this moment; run it again");
    await writeFileAtomic(target, after, { mode: mode & 0o777, flush: true });
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(describeError(error), error);
  }
}
