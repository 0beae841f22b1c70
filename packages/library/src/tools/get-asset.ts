import type { Library, LibrarySkill } from "#skills";
import type { Usage } from "#usage";
import { mimeTypeOf } from "#util";
import { cutText, isHidden, Refusal, suggestNames } from "#util/pure";
import { extensionOf, isBinary } from "../matching/file-kinds.ts";
import { filesOf, findFile, isTraversal } from "../matching/skill-files.ts";
import { readDeclaredFile } from "./declared-file-content.ts";
import { findLibrarySkill } from "./find-library-skill.ts";

export interface AssetAnswer {
  readonly skill_path: string;
  readonly file: string;
  /** Text files carry `content`, binary ones `content_base64` and `mime_type`. */
  readonly content?: string;
  readonly content_base64?: string;
  readonly size_bytes: number;
  readonly type: string;
  readonly mime_type?: string;
  /** The skill above that it comes from. */
  readonly resolved_from?: string;
}

export interface WantedAsset {
  readonly skillPath: string;
  readonly file: string;
}

/** The content of a file that a skill declares, or inherits. */
export async function getAsset(
  library: Library,
  { skillPath, file }: WantedAsset,
  { maxBytes, usage }: { readonly maxBytes: number; readonly usage: Pick<Usage, "record"> },
): Promise<AssetAnswer> {
  const skill = findLibrarySkill(library, skillPath);
  refusePath(file);
  const found = findFile(library, skill, file);
  if (found === undefined) throw unknownFile(library, skill, file);
  const bytes = await readDeclaredFile(found, maxBytes);
  const size = bytes.length;
  const type = found.kind === "asset" ? found.declaration.type : "script";
  usage.record("asset_served", {
    skill_path: skill.path,
    file,
    asset_type: type,
    is_inherited: found.from !== undefined,
    size_bytes: size,
  });
  const answer = { skill_path: skill.path, file };
  const origin = found.from === undefined ? {} : { resolved_from: found.from };
  if (!isBinary(file))
    return { ...answer, content: bytes.toString("utf8"), size_bytes: size, type, ...origin };
  const content = { content_base64: bytes.toString("base64"), size_bytes: size, type };
  return { ...answer, ...content, mime_type: binaryType(file), ...origin };
}

/** The library format defines the types of binary files; WebP is not among them. */
function binaryType(file: string): string {
  const type = extensionOf(file) === ".webp" ? undefined : mimeTypeOf(file);
  return type ?? "application/octet-stream";
}

/** What a client sent is repeated only as far as a person needs to recognise it. */
const LONGEST_SHOWN = 200;

/** A path that leads elsewhere or to a hidden file is refused before anything is read. */
export function refusePath(file: string): void {
  const shown = cutText(file, LONGEST_SHOWN);
  if (isTraversal(file))
    throw new Refusal(
      `Path traversal is not allowed: "${shown}". A file is named by its path below the skill's folder.`,
      { code: "library", reason: "path-traversal" },
    );
  if (isHidden(file))
    throw new Refusal(
      `"${shown}" is a hidden file (a name that starts with a dot), and hidden files are never served.`,
      { code: "library", reason: "hidden-file" },
    );
}

function unknownFile(library: Library, skill: LibrarySkill, file: string): Refusal {
  const { assets, scripts, inheritedAssets, inheritedScripts } = filesOf(library, skill);
  const known = [assets, scripts, inheritedAssets, inheritedScripts].flat().map((declared) => declared.file);
  const meant = suggestNames(file, known, 3);
  const way =
    meant.length > 0 ? `Did you mean: ${meant.join(", ")}?` : "get_skill lists the files of a skill.";
  const message = `Asset not found: "${cutText(file, LONGEST_SHOWN)}" in skill "${skill.path}" or its parents. ${way}`;
  return new Refusal(message, { code: "library", reason: "unknown-file" });
}
