import path from "node:path";

/** One place of the real disk, as a script sees it at the same path. */
export interface Mount {
  readonly path: string;
  readonly access: "read" | "write";
}

export interface MountWish {
  /** The library's folders and files, which a script may never change. */
  readonly library: readonly string[];
  /** What the program that runs the script is made of. */
  readonly program: readonly string[];
  readonly cwd: string;
  readonly cwdWritable: boolean;
}

/**
 * What to show to a script, outer folders first, so that an inner one keeps its own rule. A working folder inside the
 * library stays read-only, whatever was asked.
 */
export function planMounts({ library, program, cwd, cwdWritable }: MountWish): readonly Mount[] {
  const writable = cwdWritable && !library.some((folder) => isInside(cwd, folder));
  const access = new Map<string, Mount["access"]>([[cwd, writable ? "write" : "read"]]);
  for (const place of program) if (!access.has(place)) access.set(place, "read");
  for (const place of library) access.set(place, "read");
  const mounts = [...access].map(([place, how]): Mount => ({ path: place, access: how }));
  return mounts.sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

export function isInside(place: string, folder: string): boolean {
  const way = path.relative(folder, place);
  return way === "" || (way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

const depth = (place: string): number => place.split(path.sep).filter((part) => part !== "").length;
