import fs from "node:fs";
import { describeError, realpath, stat } from "../../system/file-system.ts";
import type { FileFailure } from "../read/read-skill-file.ts";
import { below, type FoundFile } from "./folder-tree.ts";
import { linkTarget, linkTargetNow } from "./follow-link.ts";
import { notAFile } from "./gather-walk.ts";

export type RealFile = { readonly awaited: readonly string[] } & (
  | { readonly ok: true; readonly file: string }
  | { readonly ok: false; readonly failure: FileFailure }
);

const NOWHERE: readonly string[] = [];

/** The path to open: for a linked file its target, which must be a regular file. */
export function realFileNow(found: FoundFile): RealFile {
  const file = below(found.realDir, found.fileName);
  if (!found.isLink) return { ok: true, file, awaited: NOWHERE };
  try {
    const target = fs.realpathSync.native(file);
    return behindLink(file, target, fs.statSync(target).isFile());
  } catch (error) {
    return brokenLink(error, linkTargetNow(file));
  }
}

/** The same through the thread pool. */
export async function realFileLater(found: FoundFile): Promise<RealFile> {
  const file = below(found.realDir, found.fileName);
  if (!found.isLink) return { ok: true, file, awaited: NOWHERE };
  try {
    const target = await realpath(file);
    return behindLink(file, target, (await stat(target)).isFile());
  } catch (error) {
    return brokenLink(error, await linkTarget(file));
  }
}

function behindLink(link: string, target: string, isFile: boolean): RealFile {
  if (isFile) return { ok: true, file: target, awaited: [target] };
  return { ok: false, failure: notAFile(link, "a link to something else"), awaited: [target] };
}

function brokenLink(error: unknown, awaited: readonly string[]): RealFile {
  const message = `This link leads nowhere: ${describeError(error)}.`;
  return { ok: false, failure: { code: "broken-link", message }, awaited };
}
