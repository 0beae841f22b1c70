import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describeError, platform } from "#util";
import { Refusal } from "#util/pure";
import { type KnownBefore, newSkill, type SkillPart } from "./new-skill.ts";

export interface WrittenSkill {
  readonly name: string;
  /** Absolute. */
  readonly dir: string;
  /** Below it, with `/`. */
  readonly files: readonly string[];
}

/** Writes a new skill into a folder of skills: whole or not at all, and never over something that is there. */
export async function writeNewSkill(
  name: string,
  parts: ReadonlySet<SkillPart>,
  skillsFolder: string,
  known: KnownBefore = {},
): Promise<WrittenSkill> {
  const dir = path.join(skillsFolder, name);
  const refuse = (message: string, cause?: unknown): Refusal =>
    new Refusal(message, { code: "cannot-write", file: dir }, { cause });
  if ((await lstat(dir).catch(() => undefined)) !== undefined) {
    throw refuse(
      `${dir} already exists, and nothing was changed. Choose another name, or edit what is there.`,
    );
  }
  const files = newSkill(name, parts, known);
  let staging: string | undefined;
  try {
    await mkdir(skillsFolder, { recursive: true });
    staging = await mkdtemp(path.join(skillsFolder, ".new-skill-"));
    for (const { path: file, text, executable } of files) {
      const target = path.join(staging, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, text, { mode: executable === true ? 0o755 : 0o644 });
    }
    // The folder was made for its owner alone.
    await chmod(staging, 0o755);
    platform.files.rename(staging, dir);
  } catch (error) {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true });
    throw refuse(`${dir} cannot be written: ${describeError(error)}.`, error);
  }
  return { name, dir, files: files.map(({ path: file }) => file) };
}

/** Removes a new skill, unless a file was changed or added since. */
export async function removeNewSkill(
  name: string,
  parts: ReadonlySet<SkillPart>,
  skillsFolder: string,
  known: KnownBefore = {},
): Promise<WrittenSkill> {
  const dir = path.join(skillsFolder, name);
  const files = newSkill(name, parts, known);
  const there = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = there.filter((entry) => !entry.isDirectory()).length;
  const isSame = await Promise.all(
    files.map(async ({ path: file, text }) => {
      const now = await readFile(path.join(dir, file), "utf8").catch(() => undefined);
      return now === text;
    }),
  );
  if (found !== files.length || isSame.includes(false))
    throw new Refusal(`${dir} is no longer as it was created, so it was not removed. Remove it by hand.`, {
      code: "cannot-write",
      file: dir,
    });
  await rm(dir, { recursive: true });
  return { name, dir, files: files.map(({ path: file }) => file) };
}
