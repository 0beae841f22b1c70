import path from "node:path";
import { isInside, readlink, realpath } from "#util";

/** Where links lead that nobody else made: into the projects and the home folder. */
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

/** Folders below `/` that the system makes up: the folders of every process, and every device. */
const MADE_UP: ReadonlySet<string> = new Set(["proc", "sys", "dev"]);
/** Those with links to everywhere. `/dev/shm` is a disk in memory, in which a whole project may lie. */
const WITH_LINKS: ReadonlySet<string> = new Set(["proc", "sys"]);
/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Whether an entry of a folder is one of them. */
export function isMadeUp(realDir: string, name: string): boolean {
  return realDir === "/" && MADE_UP.has(name);
}

/** Whether a real path lies in one of them. */
export function isInMadeUp(realDir: string): boolean {
  const [root, name = ""] = realDir.split("/", 2);
  return root === "" && MADE_UP.has(name);
}

/**
 * Whether a path leads through one with links to everywhere. The real path of `/proc/1/cwd` lies elsewhere, so every link on
 * the way counts, and not the end alone.
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
