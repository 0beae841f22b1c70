import { checkInvisible, type Library, type LibrarySkill } from "#skills";
import { errorCode, type InsidePath, NotOpened, readInside, readPlaceInside, withFileInside } from "#util";
import { type LibraryReason, Refusal } from "#util/pure";
import { isBinary } from "../matching/file-kinds.ts";
import { type FoundDeclaration, findFile } from "../matching/skill-files.ts";

/** The path of a declared file. It is made from the front matter alone, never from what a client sent. */
export function declaredFilePath({ skill, declaration }: FoundDeclaration): InsidePath {
  // Only skills with a resource folder have files.
  return { root: skill.root, folder: skill.resourceDir ?? skill.root, file: declaration.file };
}

export async function readDeclaredFile(found: FoundDeclaration, maxBytes: number): Promise<Buffer> {
  const bytes = await refusing(found, maxBytes, readInside(declaredFilePath(found), maxBytes));
  refuseInvisible(found, bytes);
  return bytes;
}

/** With `--strict`, text with invisible characters is not served. A binary file may have any bytes. */
function refuseInvisible(found: FoundDeclaration, bytes: Buffer): void {
  const { skill, declaration, kind } = found;
  if (skill.strict === undefined || bytes.includes(0)) return;
  const [hidden] = checkInvisible(bytes.toString("utf8"));
  if (hidden === undefined) return;
  throw new Refusal(
    `The ${kind} "${declaration.file}" of "${skill.path}" is not served with --strict. Line ${hidden.line ?? 1}: ${hidden.message}`,
    { code: "library", reason: "unreadable" },
  );
}

export function sizeOfDeclaredFile(found: FoundDeclaration): Promise<number> {
  const size = withFileInside(declaredFilePath(found), async ({ stats }) => stats.size);
  return refusing(found, Number.POSITIVE_INFINITY, size);
}

/** A script to be run: its real path, and its bytes as they were when the open file was checked. */
export async function openDeclaredScript(
  found: FoundDeclaration,
): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const opened = readPlaceInside(declaredFilePath(found), LARGEST_SCRIPT);
  const script = await refusing(found, LARGEST_SCRIPT, opened);
  refuseInvisible(found, script.bytes);
  return script;
}

/** Each run has a copy. */
const LARGEST_SCRIPT = 16 * 1024 ** 2;

/** Adds the content of small text files, so that an agent need not ask for each of them. */
export function withInlineText(library: Library, skill: LibrarySkill, maxBytes: number) {
  return <T extends { readonly file: string; readonly from?: string }>(
    assets: readonly T[],
  ): Promise<readonly (T & { readonly content?: string })[]> =>
    Promise.all(
      assets.map(async (asset) => {
        const holder = asset.from === undefined ? skill : library.skills.get(asset.from);
        if (maxBytes === 0 || holder === undefined || isBinary(asset.file)) return asset;
        const found = findFile(library, holder, asset.file);
        if (found === undefined) return asset;
        // get_asset says why a file cannot be read.
        const bytes = await readDeclaredFile(found, maxBytes).catch(() => undefined);
        return bytes === undefined ? asset : { ...asset, content: bytes.toString("utf8") };
      }),
    );
}

async function refusing<T>(found: FoundDeclaration, maxBytes: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    const [reason, message] = explain(error, maxBytes);
    const label = `The ${found.kind} "${found.declaration.file}" of "${found.skill.path}"`;
    throw new Refusal(`${label} ${message}`, { code: "library", reason }, { cause: error });
  }
}

function explain({ reason, size, cause }: NotOpened, maxBytes: number): readonly [LibraryReason, string] {
  const limit = maxBytes === LARGEST_SCRIPT ? " for scripts" : " (assets.max_size_bytes)";
  switch (reason) {
    case "missing":
      return [
        "missing-file",
        "is declared in the front matter but the file does not exist. Add the file, or remove the entry.",
      ];
    case "outside":
      return ["outside-library", "leads out of the library through a link, so it is not served."];
    case "hidden":
      return [
        "hidden-file",
        "is a hidden file (a name that starts with a dot), and hidden files are never served.",
      ];
    case "not-a-file":
      return ["unreadable", "is not a regular file."];
    case "too-large":
      return ["too-large", `has ${size} bytes, over the limit of ${maxBytes} bytes${limit}.`];
    default:
      // Only the code: the system's message names the path on the server, which clients must not see.
      return ["unreadable", `cannot be read (${errorCode(cause) || String(cause)}).`];
  }
}
