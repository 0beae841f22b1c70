import { createHash } from "node:crypto";

/** A name of any length and content as a part of a key. */
export function shortDigest(name: string): string {
  return createHash("sha256").update(name).digest("base64url").slice(0, 22);
}
