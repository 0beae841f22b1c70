import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { describeError, readlink, realpath, stat } from "../../system/file-system.ts";
import { isInside } from "../../system/inside.ts";
import { below, type FolderNode } from "./folder-tree.ts";
import { unreadableName } from "./unreadable-name.ts";

/** An entry that is a link and may lead to a folder. */
export interface Link {
  readonly folder: FolderNode;
  readonly name: string;
  /** As seen below the root. */
  readonly shown: string;
}

/** Where a link led. */
export interface Followed {
  /** Undefined when it is no folder, is gone, or leads back to where the link lies. */
  readonly realDir?: string;
  readonly awaited: readonly string[];
  readonly diagnostic?: Diagnostic;
}

const NOWHERE: readonly string[] = [];
export const NO_FOLDER: Followed = { awaited: NOWHERE };

export function followNow(link: Link): Followed {
  const place = below(link.folder.realDir, link.name);
  try {
    return fs.statSync(place).isDirectory() ? entered(link, fs.realpathSync.native(place)) : NO_FOLDER;
  } catch (error) {
    return broken(link, error, linkTargetNow(place));
  }
}

export async function followLater(link: Link): Promise<Followed> {
  const place = below(link.folder.realDir, link.name);
  try {
    return (await stat(place)).isDirectory() ? entered(link, await realpath(place)) : NO_FOLDER;
  } catch (error) {
    return broken(link, error, await linkTarget(place));
  }
}

function entered(link: Link, realDir: string): Followed {
  return isInside(realDir, link.folder.realDir) ? NO_FOLDER : { realDir, awaited: NOWHERE };
}

function broken(link: Link, error: unknown, awaited: readonly string[]): Followed {
  // Beside a skill file a link is a resource, and a broken one is the author's business.
  if (link.folder.listing.files.length > 0) return { awaited };
  // A link that cannot even be read is gone, or was listed by a name that it does not have.
  const odd = awaited.length === 0 ? unreadableName(link.shown) : undefined;
  if (odd !== undefined) return { awaited, diagnostic: odd };
  const message = `This link leads nowhere: ${describeError(error)}.`;
  return { awaited, diagnostic: { severity: "warning", code: "broken-link", file: link.shown, message } };
}

/** The path that a link names; none when the link is gone. */
export async function linkTarget(link: string): Promise<readonly string[]> {
  try {
    return [path.resolve(path.dirname(link), await readlink(link))];
  } catch {
    return NOWHERE;
  }
}

export function linkTargetNow(link: string): readonly string[] {
  try {
    return [path.resolve(path.dirname(link), fs.readlinkSync(link))];
  } catch {
    return NOWHERE;
  }
}
