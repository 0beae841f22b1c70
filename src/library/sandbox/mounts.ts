import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { isInside } from "../../system/files/inside.ts";

/** A path of the real disk that a script sees at the same place. */
export interface Mount {
  readonly path: string;
  readonly access: "read" | "write";
}

export interface MountRequest {
  /** The library's folders and files, which a script may never change. */
  readonly library: readonly string[];
  /** The installation of the program that runs the script. */
  readonly program: readonly string[];
  readonly cwd: string;
  readonly cwdWritable: boolean;
}

/**
 * What a script sees, outer folders first, so that an inner mount overrides the outer one. A working folder inside the
 * library is always read-only.
 */
export function planMounts({ library, program, cwd, cwdWritable }: MountRequest): readonly Mount[] {
  const writable = cwdWritable && !library.some((folder) => isInside(folder, cwd));
  const access = new Map<string, Mount["access"]>([[cwd, writable ? "write" : "read"]]);
  for (const place of program) if (!access.has(place)) access.set(place, "read");
  for (const place of library) access.set(place, "read");
  const mounts = [...access].map(([place, how]): Mount => ({ path: place, access: how }));
  return mounts.sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
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
