import { createHash, timingSafeEqual } from "node:crypto";
import { isRecord } from "#util/pure";

/** One version of a package, as a registry describes it. */
export interface NpmVersion {
  readonly version: string;
  readonly tarball: string;
  /** Hashes of the tarball, strongest first; at least one. */
  readonly integrity: readonly Integrity[];
}

export interface Integrity {
  readonly algorithm: "sha512" | "sha384" | "sha256" | "sha1";
  readonly digest: Buffer;
}

/** A version, or why there is none: a phrase that follows the package's name. */
export function findVersion(document: unknown, wanted: string | undefined): NpmVersion | string {
  const tags = recordIn(document, "dist-tags");
  const versions = recordIn(document, "versions");
  if (versions === undefined) return "is not described by the registry in a known format";
  const tagged = tags?.[wanted ?? "latest"];
  const version = wanted !== undefined && Object.hasOwn(versions, wanted) ? wanted : tagged;
  if (typeof version !== "string" || !Object.hasOwn(versions, version))
    return wanted === undefined
      ? "has no latest version; name a version after '@'"
      : `has no version or tag '${wanted}'; use an exact version or one of the tags ${Object.keys(tags ?? {}).join(", ")}`;
  const dist = recordIn(versions[version], "dist");
  const tarball = dist?.["tarball"];
  if (typeof tarball !== "string" || !URL.canParse(tarball)) return `has no tarball for version ${version}`;
  const integrity = parseIntegrity(dist?.["integrity"], dist?.["shasum"]);
  if (integrity.length === 0)
    return `has no checksum for version ${version}, so its content cannot be verified`;
  return { version, tarball, integrity };
}

const STRENGTH = ["sha512", "sha384", "sha256", "sha1"] as const;

function parseIntegrity(integrity: unknown, shasum: unknown): readonly Integrity[] {
  const found: Integrity[] = [];
  for (const part of typeof integrity === "string" ? integrity.split(/\s+/) : []) {
    const [, name, base64] = /^(sha\d+)-([A-Za-z0-9+/]+=*)/.exec(part) ?? [];
    const algorithm = STRENGTH.find((each) => each === name);
    if (algorithm !== undefined && base64 !== undefined)
      found.push({ algorithm, digest: Buffer.from(base64, "base64") });
  }
  // Packages from before 2017 have nothing better.
  if (found.length === 0 && typeof shasum === "string" && /^[0-9a-f]{40}$/i.test(shasum))
    found.push({ algorithm: "sha1", digest: Buffer.from(shasum, "hex") });
  return found.toSorted((a, b) => STRENGTH.indexOf(a.algorithm) - STRENGTH.indexOf(b.algorithm));
}

/** Whether content is what the strongest of the hashes says; several of one strength are alternatives. */
export function matchesIntegrity(content: Buffer, integrity: readonly Integrity[]): boolean {
  const strongest = integrity[0]?.algorithm;
  if (strongest === undefined) return false;
  const actual = createHash(strongest).update(content).digest();
  return integrity.some(
    ({ algorithm, digest }) =>
      algorithm === strongest && digest.length === actual.length && timingSafeEqual(digest, actual),
  );
}

function recordIn(value: unknown, key: string): Readonly<Record<string, unknown>> | undefined {
  const inner = isRecord(value) ? value[key] : undefined;
  return isRecord(inner) ? inner : undefined;
}
