import path from "node:path";
import { describeError, type InsidePath, NotOpened, readInside, withFileInside } from "#util";
import { Refusal, suggestNames, visibleLine } from "#util/pure";
import type { Entry } from "../catalog/catalog.ts";
import { sha256Of } from "../read/skill-texts.ts";
import type { Snapshot } from "../registry/registry.ts";
import { checkInvisible } from "../skill/invisible-text.ts";
import type { Skill } from "../skill/skill.ts";
import { findSkill } from "../view/skill-catalog.ts";
import { findInSkill, listSkillFiles, type SkillFile, type SkillPlace } from "./skill-folder.ts";

/** As much as the Skills extension allows for a whole skill. */
export const MOST_BYTES = 16 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file, as they are now. */
export async function readSkillFile(
  skill: SkillPlace & Pick<Skill, "strict">,
  file: SkillFile,
): Promise<Buffer> {
  const bytes = await readInside(skillFilePath(skill, file), MOST_BYTES).catch((error: unknown) => {
    throw refusalFor(file, error);
  });
  if (skill.strict !== undefined) refuseInvisible(file, bytes);
  return bytes;
}

/** A binary file may have any bytes. */
function refuseInvisible({ names, realFile }: SkillFile, bytes: Buffer): void {
  const [invisible] = bytes.includes(0) ? [] : checkInvisible(bytes.toString("utf8"));
  if (invisible === undefined) return;
  const name = names.join("/");
  throw new Refusal(
    `'${name}' is not served with --strict. Line ${invisible.line ?? 1}: ${invisible.message}`,
    {
      code: "unreadable-skill",
      name,
      file: realFile,
    },
  );
}

/** The SHA-256 of a file, as `sha256:` and 64 digits. Reads in chunks, so that a large file blocks nothing. */
export function digestOf(
  skill: Skill,
  file: SkillFile,
): Promise<{ readonly digest: string; readonly size: number }> {
  return withFileInside(skillFilePath(skill, file), async ({ handle, stats }) => {
    // Loaded when first needed: it would slow the start of every server.
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stats.size + 1));
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      size += bytesRead;
      if (size > MOST_BYTES) throw new NotOpened("too-large", { size });
    }
    return { digest: `sha256:${hash.digest("hex")}`, size };
  }).catch((error: unknown) => {
    throw refusalFor(file, error);
  });
}

export function skillFilePath({ realDir, linkedFile }: SkillPlace, { realFile }: SkillFile): InsidePath {
  return { root: realDir, file: realFile, except: linkedFile };
}

function refusalFor({ names, realFile }: SkillFile, error: unknown): unknown {
  if (!(error instanceof NotOpened)) return error;
  const name = names.join("/");
  return new Refusal(
    `'${name}' cannot be served: ${reasonFor(error)}.`,
    { code: "unreadable-skill", name, file: realFile },
    { cause: error },
  );
}

function reasonFor({ reason, cause }: NotOpened): string {
  switch (reason) {
    case "missing":
      return "it does not exist";
    case "outside":
      return "it leads out of the skill's folder";
    case "hidden":
      return "it is a hidden file";
    case "not-a-file":
      return "it is not a regular file";
    case "too-large":
      return "it is larger than 16 MiB; open it in the skill's folder";
    default:
      return describeError(cause);
  }
}

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
  // A model may put the skill's folder before it, and on Windows part folders as Windows does.
  const [asked, folder] = [file, skill.dir].map((each) => each.split(path.sep).join("/")) as [string, string];
  const below = asked.startsWith(`${folder}/`) ? asked.slice(folder.length + 1) : asked;
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
