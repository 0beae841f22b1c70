import { PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";

/**
 * Whether a message says that it is of the modern era. The SDK decides by the same claim, but only after it has checked
 * the message, which it does again when it serves it.
 */
export function claimsModernEra(body: unknown): boolean {
  if (!isRecord(body) || typeof body["method"] !== "string" || body["method"] === "initialize") return false;
  if ("result" in body || "error" in body) return false;
  const { params } = body;
  return isRecord(params) && isRecord(params["_meta"]) && PROTOCOL_VERSION_META_KEY in params["_meta"];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
