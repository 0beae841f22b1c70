import { isUtf8 } from "node:buffer";
import { declaredFilePath, findFile } from "#library";
import type { Snapshot } from "#skills";
import { findInSkill, skillFilePath } from "#skills";
import { type InsidePath, mimeTypeOf, NotOpened, readInside } from "#util";
import { escapeInvisibleCharacters, type LibraryReason, Refusal } from "#util/pure";
import type { KnownSkill } from "./known-skill.ts";

/** A file of a skill, as far as it can be shown. */
export type Preview =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly type: string; readonly bytes: Buffer };

const LARGEST_TEXT = 512 * 1024;
const LARGEST_IMAGE = 4 * 1024 * 1024;

/** Image types that cannot contain code. SVG can, so it is shown as text. */
const IMAGES: ReadonlySet<string | undefined> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

export async function previewFile(snapshot: Snapshot, known: KnownSkill, file: string): Promise<Preview> {
  const wanted = await locate(snapshot, known, file);
  if (wanted === undefined) throw refuse(`This skill has no file '${file}'.`, "unknown-file");
  const type = mimeTypeOf(file);
  const isImage = type !== undefined && IMAGES.has(type);
  const limit = isImage ? LARGEST_IMAGE : LARGEST_TEXT;
  const bytes = await readInside(wanted, limit).catch((error: unknown) => {
    throw error instanceof NotOpened ? explain(error, file, limit) : error;
  });
  if (isImage) return { kind: "image", type, bytes };
  if (!isUtf8(bytes) || bytes.includes(0))
    throw refuse(`'${file}' is not text, so it has no preview.`, "unreadable");
  return { kind: "text", text: escapeInvisibleCharacters(bytes.toString("utf8")) };
}

/** Only a file that is listed with the skill: what was asked for is compared, and never joined to a path. */
async function locate(
  { library }: Snapshot,
  known: KnownSkill,
  file: string,
): Promise<InsidePath | undefined> {
  if (known.kind === "broken") return undefined;
  if (known.kind === "library") {
    const found = findFile(library, known.skill, file);
    return found === undefined ? undefined : declaredFilePath(found);
  }
  const { skill } = (known.kind === "shadowed" ? known.info : known).entry;
  // The skill's own text is shown as its source.
  if (file === skill.fileName) return undefined;
  const found = await findInSkill(skill, file.split("/"));
  return found?.kind === "file" ? skillFilePath(skill, found.file) : undefined;
}

function explain({ reason }: NotOpened, file: string, limit: number): Refusal {
  switch (reason) {
    case "too-large":
      return refuse(`'${file}' is too large: the limit for a preview is ${limit / 1024} KiB.`, "too-large");
    case "missing":
      return refuse(`'${file}' does not exist.`, "missing-file");
    case "outside":
      return refuse(
        `'${file}' leads out of its folder through a link, so it is not shown.`,
        "outside-library",
      );
    case "hidden":
      return refuse(`'${file}' is a hidden file, and hidden files are never served.`, "hidden-file");
    default:
      return refuse(`'${file}' cannot be read.`, "unreadable");
  }
}

function refuse(message: string, reason: LibraryReason): Refusal {
  return new Refusal(message, { code: "library", reason });
}
