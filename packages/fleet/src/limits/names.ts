import { sha256 } from "#util";

/** A name of any length and content as a part of a key. */
export function shortDigest(name: string): string {
  return sha256(name).toString("base64url").slice(0, 22);
}
