import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { isInside } from "#util";
import { defined } from "#util/pure";

/** A path of the real disk that a script sees at the same place. */
export interface Mount {
  readonly path: string;
  readonly access: "read" | "write";
  /** What is mounted, held open: nothing that is swapped in at its path can take its place. */
  readonly descriptor?: number | undefined;
  /** A file of the server's that a script sees instead of the one at this path. */
  readonly from?: string;
}

/** Something that a script sees, by its real path. */
type MountedPath = Pick<Mount, "path" | "descriptor">;

export interface MountRequest {
  /** Of the library: what a script may read and never change. */
  readonly library: readonly MountedPath[];
  /** The real folder of the whole library: below a working folder, a script can only read it. */
  readonly root: MountedPath;
  /** The installation of the program that runs the script. */
  readonly program: readonly string[];
  readonly cwd: MountedPath;
  readonly cwdWritable: boolean;
  /** In the working folder: what a script can only read. */
  readonly protectedPaths: readonly MountedPath[];
  /** Folders on the way to those: they stay as writable as the working folder, and where they are. */
  readonly pinned: readonly MountedPath[];
}

/** Whether a script may write to its working folder: never inside its own files. */
export function isWritable({
  cwd,
  cwdWritable,
  library,
}: Pick<MountRequest, "cwd" | "cwdWritable" | "library">): boolean {
  return cwdWritable && !library.some((folder) => isInside(folder.path, cwd.path));
}

/** What a script sees, outer folders first, so that an inner mount overrides the outer one. */
export function planMounts(request: MountRequest): readonly Mount[] {
  const { library, root, program, cwd, protectedPaths, pinned } = request;
  const mounts = new Map<string, Mount>();
  const add = (place: MountedPath, access: Mount["access"]): void => {
    const { path: at, descriptor } = place;
    mounts.set(at, { path: at, access, ...defined({ descriptor }) });
  };
  for (const place of program) add({ path: place }, "read");
  for (const place of [cwd, ...pinned]) add(place, isWritable(request) ? "write" : "read");
  if (isInside(cwd.path, root.path) && root.path !== cwd.path) add(root, "read");
  for (const place of [...library, ...protectedPaths]) add(place, "read");
  return [...mounts.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
}

const depth = (place: string): number => place.split(path.sep).filter((part) => part !== "").length;

/** A part of the system that every program needs. */
export type SystemMount =
  | { readonly kind: "real"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string };

/** Certificates but not `/etc/ssl/private`, which root can read. */
const PLACES = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/nix/store",
  "/gnu/store",
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
] as const;

/** The places that exist. Links stay links: `/bin` often links to `/usr/bin`. */
export function systemMounts(): readonly SystemMount[] {
  return PLACES.flatMap((place): readonly SystemMount[] => {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.isSymbolicLink()) return [{ kind: "link", path: place, target: readlinkSync(place) }];
    return [{ kind: "real", path: place }];
  });
}
