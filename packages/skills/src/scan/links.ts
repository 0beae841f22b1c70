import path from "node:path";
import { type Disk, describeError, isInside, readlink } from "#util";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { leadsThroughMadeUp } from "./link-bounds.ts";
import { leadsToMadeUp, unreadableName } from "./scan-problems.ts";

/** A symbolic link that may lead to a folder. */
export interface Link {
  /** As seen below the root. */
  readonly shown: string;
  readonly name: string;
  /** The real folder that holds it. */
  readonly realDir: string;
  readonly depth: number;
  /** Beside a skill file a link is a resource, and a broken one is its author's business. */
  readonly isResource: boolean;
}

export interface LinkTarget {
  /** Undefined when it is not a folder, is gone, or leads back to where the link lies. */
  readonly realDir?: string;
  /** Where a broken link leads: what appears there matters. */
  readonly awaited: readonly string[];
  readonly diagnostic?: Diagnostic;
}

const NOWHERE: readonly string[] = [];
const NO_FOLDER: LinkTarget = { awaited: NOWHERE };

export async function followLink(link: Link, disk: Disk): Promise<LinkTarget> {
  const place = path.join(link.realDir, link.name);
  try {
    if ((await disk.stat(place))?.isDirectory() === false) return NO_FOLDER;
    const realDir = await disk.realpath(place);
    if (isInside(realDir, link.realDir)) return NO_FOLDER;
    const isStraight = path.resolve(link.realDir, await disk.readlink(place)) === realDir;
    // Most links name their folder itself.
    if (!isStraight && (await leadsThroughMadeUp(place))) return refused(link);
    return { realDir, awaited: NOWHERE };
  } catch (error) {
    // Of other users' processes even the links cannot be followed.
    if (await leadsThroughMadeUp(place)) return refused(link);
    return brokenLink(link, error, await targetsOf(place));
  }
}

function refused({ shown }: Link): LinkTarget {
  return { awaited: NOWHERE, diagnostic: leadsToMadeUp(shown) };
}

function brokenLink(link: Link, error: unknown, awaited: readonly string[]): LinkTarget {
  if (link.isResource) return { awaited };
  // A link that cannot even be read is gone, or was listed by a name that it does not have.
  const odd = awaited.length === 0 ? unreadableName(link.shown) : undefined;
  if (odd !== undefined) return { awaited, diagnostic: odd };
  const message = leadsNowhere(error);
  return { awaited, diagnostic: { severity: "warning", code: "broken-link", file: link.shown, message } };
}

export function leadsNowhere(error: unknown): string {
  return `This symbolic link is broken: ${describeError(error)}.`;
}

/** The path that a link names; none when the link is gone. */
export async function targetsOf(link: string): Promise<readonly string[]> {
  try {
    return [path.resolve(path.dirname(link), await readlink(link))];
  } catch {
    return NOWHERE;
  }
}
