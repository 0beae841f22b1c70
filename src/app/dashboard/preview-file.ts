import { isUtf8 } from "node:buffer";
import { extensionOf } from "../../catalog/library/file-kinds.ts";
import { findFile } from "../../catalog/library/skill-files.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { Refusal } from "../../skill/refusal.ts";
import { type LibraryPath, readInside } from "../../system/open-inside.ts";
import { libraryPathOf } from "../library/library-path.ts";
import type { KnownSkill } from "./known-skill.ts";

/** A file beside a skill, as far as it can be shown. */
export type Preview =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly type: string; readonly bytes: Buffer };

const LARGEST_TEXT = 512 * 1024;
const LARGEST_IMAGE = 4 * 1024 * 1024;

/** Pictures that cannot hold anything that runs. An SVG can, so it is shown as the text it is. */
const IMAGES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

export async function previewFile(snapshot: Snapshot, known: KnownSkill, file: string): Promise<Preview> {
  const wanted = locate(snapshot, known, file);
  if (wanted === undefined) throw refuse(`There is no file '${file}' with this skill.`, "unknown-file");
  const image = IMAGES.get(extensionOf(file));
  const limit = image === undefined ? LARGEST_TEXT : LARGEST_IMAGE;
  const { bytes } = await readInside(wanted, limit).catch((error: unknown) => {
    const isTooLarge =
      error instanceof Refusal && error.detail.code === "library" && error.detail.reason === "too-large";
    throw isTooLarge
      ? refuse(`'${file}' is too large to be shown: a preview ends at ${limit / 1024} KiB.`, "too-large")
      : error;
  });
  if (image !== undefined) return { kind: "image", type: image, bytes };
  if (!isUtf8(bytes) || bytes.includes(0))
    throw refuse(`'${file}' is not text, so there is nothing to show.`, "unreadable");
  return { kind: "text", text: bytes.toString("utf8") };
}

/** Only a file that is listed with the skill: what was asked for is compared, and never joined to a path. */
function locate({ library }: Snapshot, known: KnownSkill, file: string): LibraryPath | undefined {
  if (known.kind === "broken") return undefined;
  if (known.kind === "library") {
    const found = findFile(library, known.skill, file);
    return found === undefined ? undefined : libraryPathOf(found);
  }
  const { entry, resources } = known.kind === "hidden" ? known.info : known;
  const listed = resources.find((resource) => resource.path === file);
  if (listed === undefined) return undefined;
  const { realDir } = entry.skill;
  return { folder: realDir, file: listed.path, root: realDir, label: `The file '${file}'` };
}

function refuse(message: string, reason: "unknown-file" | "too-large" | "unreadable"): Refusal {
  return new Refusal(message, { code: "library", reason });
}
