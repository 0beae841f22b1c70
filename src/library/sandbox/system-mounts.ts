import { lstatSync, readlinkSync } from "node:fs";

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

/** Those of the places that are there; links stay links, as `/bin` is one to `/usr/bin` on many systems. */
export function systemMounts(): readonly SystemMount[] {
  return PLACES.flatMap((place): readonly SystemMount[] => {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.isSymbolicLink()) return [{ kind: "link", path: place, target: readlinkSync(place) }];
    return [{ kind: "real", path: place }];
  });
}
