import type { Entry, Snapshot } from "#skills";
import { findInSkill, findSkill, listSkillFiles, readSkillFile, sha256Of } from "#skills";
import { Refusal, suggestNames, visibleLine } from "#util/pure";

/** A file of a skill, as it is now. */
export interface FileOfSkill {
  readonly entry: Entry;
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  /** Of the whole file: `sha256:` and 64 digits. */
  readonly digest: string;
}

/** A refusal names at most this many files. */
const MOST_NAMED = 20;

/** Reads a file of a skill, by the skill's name and the file's path, which is compared with what the disk lists. */
export async function readFileOfSkill(snapshot: Snapshot, name: string, file: string): Promise<FileOfSkill> {
  const entry = findSkill(snapshot, name);
  const { skill } = entry;
  // A model may put the skill's folder before it.
  const below = file.startsWith(`${skill.dir}/`) ? file.slice(skill.dir.length + 1) : file;
  const names = below.split("/").filter((part) => part !== ".");
  const found = await findInSkill(skill, names);
  if (found?.kind !== "file") throw await unknownFile(entry, file, names);
  const bytes = await readSkillFile(skill, found.file);
  const digest = sha256Of(bytes);
  return { entry, path: names.join("/"), bytes, digest };
}

async function unknownFile(
  { skill, listedAs }: Entry,
  file: string,
  names: readonly string[],
): Promise<Refusal> {
  const detail = { code: "unknown-file", name: listedAs, file } as const;
  const shown = visibleLine(file);
  if (names.some((part) => part.startsWith(".") && part !== "..")) {
    return new Refusal(`'${shown}' is not served: hidden files are never served.`, detail);
  }
  const all = (await listSkillFiles(skill)).files.map((each) => visibleLine(each.names.join("/")));
  const below = all.filter((each) => each.startsWith(`${names.join("/")}/`));
  const what =
    below.length > 0
      ? `'${shown}' is a folder of skill '${listedAs}'. Its files: ${some(below)}.`
      : `Skill '${listedAs}' has no file '${shown}'. ${wayOut(file, all)}`;
  return new Refusal(what, detail);
}

function wayOut(file: string, all: readonly string[]): string {
  const meant = suggestNames(file, all, 3);
  return meant.length === 0 ? `Its files: ${some(all)}.` : `Did you mean: ${meant.join(", ")}?`;
}

function some(files: readonly string[]): string {
  const more = files.length - MOST_NAMED;
  return files.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
