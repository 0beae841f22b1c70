import { lstat, mkdir, readFile, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { foundIn, type Skill } from "#skills";
import { describeError, errorCode, writeFileAtomic } from "#util";
import { isRecord, parseJson, Refusal } from "#util/pure";

/** A prompt that should find a skill, or should not. */
export interface EvalPrompt {
  readonly query: string;
  readonly should_trigger: boolean;
}

/** A file of its own beside those of the author, so that nothing of theirs is written anew. */
const FOLDER = "evals";
const FILE = "prompts.json";

export interface ChangedPrompts {
  readonly file: string;
  /** False when there was nothing to do. */
  readonly changed: boolean;
}

/** Adds a prompt to the evals of a skill. */
export function addEvalPrompt(skill: Skill, prompt: EvalPrompt): Promise<ChangedPrompts> {
  return changePrompts(skill, (prompts) =>
    prompts.some((one) => isSame(one, prompt)) ? undefined : [...prompts, prompt],
  );
}

/** Takes it out again, and the file with the last one. */
export function removeEvalPrompt(skill: Skill, prompt: EvalPrompt): Promise<ChangedPrompts> {
  return changePrompts(skill, (prompts) => {
    const left = prompts.filter((one) => !isSame(one, prompt));
    return left.length === prompts.length ? undefined : left;
  });
}

function isSame(one: unknown, { query, should_trigger }: EvalPrompt): boolean {
  if (!isRecord(one) || typeof one["query"] !== "string") return false;
  return one["query"].trim() === query.trim() && (one["should_trigger"] ?? true) === should_trigger;
}

async function changePrompts(
  skill: Skill,
  change: (prompts: readonly unknown[]) => readonly unknown[] | undefined,
): Promise<ChangedPrompts> {
  refuseForeign(skill);
  const folder = path.join(foundIn(skill), FOLDER);
  const file = path.join(folder, FILE);
  try {
    const after = change(await readPrompts(folder, file));
    if (after === undefined) return { file, changed: false };
    if (after.length > 0) {
      await mkdir(folder, { recursive: true });
      await writeFileAtomic(file, `${JSON.stringify(after, null, 2)}\n`);
    } else {
      await rm(file, { force: true });
      // Only an empty folder goes with it.
      await rmdir(folder).catch(() => {});
    }
    return { file, changed: true };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw refuse(file, `${file} was not written: ${describeError(error)}.`, error);
  }
}

/** What is fetched again would lose the prompt. */
function refuseForeign({ repo, plugin, dir, name }: Skill): void {
  const from = repo === undefined ? (plugin === undefined ? undefined : "a plugin") : repo.url;
  if (from !== undefined)
    throw refuse(dir, `'${name}' comes from ${from}, so its prompts are written there and not here.`);
}

async function readPrompts(folder: string, file: string): Promise<readonly unknown[]> {
  for (const place of [folder, file]) {
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isSymbolicLink() === true)
      throw refuse(place, `${place} is a link, so nothing is written there. Replace it by a folder or file.`);
  }
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return [];
  const prompts = parseJson(text);
  if (Array.isArray(prompts)) return prompts;
  throw refuse(file, `${file} is not a JSON list of prompts, so none was added. Fix or move it.`);
}

function refuse(file: string, message: string, cause?: unknown): Refusal {
  return new Refusal(message, { code: "cannot-write", file }, { cause });
}
