import { createHash } from "node:crypto";
import { lstat, mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import { errorCode, writeFileAtomic } from "#util";
import { Refusal } from "#util/pure";
import { FOLDER_0_2 } from "./create-publisher.ts";

/** The files that publish wrote into a folder, each with the digests that it may have there. */
export type SiteManifest = ReadonlyMap<string, readonly string[]>;

/** Hidden, so that web servers that follow the custom do not show it. */
const MANIFEST_FILE = `${FOLDER_0_2}/.skills-mcp-published.json`;
/** Web servers run as another user. */
const READABLE = 0o644;

export async function readManifest(out: string): Promise<SiteManifest> {
  const file = path.join(out, MANIFEST_FILE);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return new Map();
  const files = parseManifest(text);
  if (files !== undefined) return files;
  throw new Refusal(
    `${file}, the list of what publish wrote, is damaged. Remove it together with what is published there, or choose another folder with --dir.`,
    { code: "cannot-write", file },
  );
}

function parseManifest(text: string): SiteManifest | undefined {
  try {
    const { files } = JSON.parse(text) as { readonly files?: unknown };
    if (typeof files !== "object" || files === null) return undefined;
    const entries = Object.entries(files as Record<string, unknown>);
    const isValid = entries.every(
      ([name, digests]) =>
        !path.isAbsolute(name) && !name.split(/[/\\]/).includes("..") && Array.isArray(digests),
    );
    return isValid ? new Map(entries as [string, string[]][]) : undefined;
  } catch {
    return undefined;
  }
}

/** Records the files of one or several sets as ours. */
export async function writeManifest(
  out: string,
  sets: readonly ReadonlyMap<string, string | readonly string[]>[],
): Promise<void> {
  const files: Record<string, string[]> = {};
  for (const set of sets) {
    for (const [file, digests] of set) files[file] = [...new Set([...(files[file] ?? []), digests].flat())];
  }
  const target = path.join(out, MANIFEST_FILE);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFileAtomic(target, `${JSON.stringify({ files })}\n`, { mode: READABLE, flush: true });
}

/** Writes a new file and returns the SHA-256 of its content. */
export async function stageFile(file: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file, "wx", READABLE);
  const hash = createHash("sha256");
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}

/** The SHA-256 of a file; "" for what is no file, undefined when nothing is there. */
export async function digestOfFile(file: string): Promise<string | undefined> {
  try {
    if (!(await lstat(file)).isFile()) return "";
    return createHash("sha256")
      .update(await readFile(file))
      .digest("hex");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
