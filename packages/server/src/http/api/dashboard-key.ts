import { timingSafeEqual } from "node:crypto";
import { sha256 } from "#util";
import type { RequestHeaders } from "./api-request.ts";

/** Carries the key. A page of another origin can send it only after a preflight, which is never granted. */
export const KEY_HEADER = "X-Skills-MCP-Key";

/**
 * Whether a request has the key of the dashboard. On a server without tokens, anyone on the machine can connect; the key is in
 * the address that `serve` prints, and in a file of the operator, so that others may look and not change.
 */
export function createKeyCheck(key: string | undefined): (headers: RequestHeaders) => boolean {
  if (key === undefined) return () => true;
  const expected = sha256(key);
  return (headers) => {
    const given = headers[KEY_HEADER.toLowerCase()];
    return typeof given === "string" && timingSafeEqual(sha256(given), expected);
  };
}
