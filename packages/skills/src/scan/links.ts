import path from "node:path";
import { type Disk, describeError, isInside, readlink, realpath } from "#util";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { leadsToMadeUp, unreadableName } from "./scan-state.ts";

/** A symbolic link that may lead to a folder. */
export interface FolderLink {
  /** As seen below the root. */
  readonly shown: string;
  readonly name: string;
  /** The real folder that holds it. */
  readonly realDir: string;
  readonly depth: number;
  /** True: it lies beside a skill file and is a resource of that skill, so that a broken one is not reported. */
  readonly isResource: boolean;
}

export interface LinkTarget {
  /** The folder that it leads to; undefined when that is no folder, is gone, or contains the link. */
  readonly realDir?: string;
  /** The target of a broken link, to watch: a folder may appear there. */
  readonly awaited: readonly string[];
  readonly diagnostic?: Diagnostic;
}

const NOWHERE: readonly string[] = [];
const NO_FOLDER: LinkTarget = { awaited: NOWHERE };

export async function followLink(link: FolderLink, disk: Disk): Promise<LinkTarget> {
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
    // Links below /proc/<pid> of other users cannot even be read.
    if (await leadsThroughMadeUp(place)) return refused(link);
    return brokenLink(link, error, await targetsOf(place));
  }
}

function refused({ shown }: FolderLink): LinkTarget {
  return { awaited: NOWHERE, diagnostic: leadsToMadeUp(shown) };
}

function brokenLink(link: FolderLink, error: unknown, awaited: readonly string[]): LinkTarget {
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

/** Decides which link targets count as the user's own: those in the projects and the home folder. */
export interface LinkBounds {
  /** Whether a real folder lies below one of them. The home folder itself does not: a link to it is a link to everything. */
  isOwn(realDir: string): Promise<boolean>;
}

export interface OwnFolders {
  readonly home: string;
  readonly projects: readonly string[];
}

export function createLinkBounds({ home, projects }: OwnFolders): LinkBounds {
  let resolved: Promise<readonly string[]> | undefined;
  const resolve = async (): Promise<readonly string[]> => {
    const [realHome = home, ...others] = await Promise.all(
      [home, ...projects].map((folder) => realpath(folder).catch(() => folder)),
    );
    // A client that works in `/` has no project.
    return [realHome, ...others.filter((folder) => !isInside(folder, realHome))];
  };
  return {
    async isOwn(realDir) {
      resolved ??= resolve();
      return (await resolved).some((folder) => folder !== realDir && isInside(folder, realDir));
    },
  };
}

/** Folders below `/` that the system generates: processes, kernel settings, devices. */
const MADE_UP: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);
/** Generated folders whose links lead anywhere. Not `dev`: `/dev/shm` is a disk in memory, in which a whole project may lie. */
const WITH_LINKS: ReadonlySet<string> = new Set(["proc", "sys"]);
/** Linux follows at most this many links in one path. */
const MOST_LINKS = 40;

/** Whether an entry of a folder is one that the system generates. */
export function isMadeUp(realDir: string, name: string): boolean {
  return realDir === "/" && MADE_UP.has(name);
}

/** Whether a real path lies in a folder that the system generates. */
export function isInMadeUp(realDir: string): boolean {
  const [root, name = ""] = realDir.split("/", 2);
  return root === "" && MADE_UP.has(name);
}

/**
 * Whether a path leads through `/proc` or `/sys`. The real path of `/proc/1/cwd` lies elsewhere, so every link on the way is
 * checked, and not the end alone.
 */
export async function leadsThroughMadeUp(place: string): Promise<boolean> {
  if (path.sep !== "/") return false;
  let names = place.split("/");
  let at = "/";
  for (let links = 0; names.length > 0; ) {
    const [name = "", ...rest] = names;
    names = rest;
    if (name === "" || name === ".") continue;
    if (at === "/" && WITH_LINKS.has(name)) return true;
    const next = path.join(at, name);
    const target = name === ".." ? undefined : await readlink(next).catch(() => undefined);
    if (target === undefined) at = next;
    else if (++links > MOST_LINKS) return false;
    else {
      names = [...target.split("/"), ...rest];
      if (target.startsWith("/")) at = "/";
    }
  }
  return false;
}
