import path from "node:path";
import { describeError, realpath, stat } from "./file-system.ts";
import type { FileFailure } from "./read-skill-file.ts";
import { type FoundFile, linkTarget, notAFile } from "./walk.ts";

const NOWHERE: readonly string[] = [];

/** The path to open: for a linked file its target, which must be a regular file. */
export async function realFile(found: FoundFile): Promise<RealFile> {
  const file = path.join(found.realDir, found.fileName);
  if (!found.isLink) return { ok: true, file, awaited: NOWHERE };
  try {
    const target = await realpath(file);
    if ((await stat(target)).isFile()) return { ok: true, file: target, awaited: [target] };
    return { ok: false, failure: notAFile(file, "a link to something else"), awaited: [target] };
  } catch (error) {
    const message = `This link leads nowhere: ${describeError(error)}.`;
    return { ok: false, failure: { code: "broken-link", message }, awaited: await linkTarget(file) };
  }
}

type RealFile = { readonly awaited: readonly string[] } & (
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly failure: FileFailure }
);
