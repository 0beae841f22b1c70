import {
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";

/**
 * The era of a message that is easily told, as nearly every one is; undefined when the SDK has to look. It decides the
 * same, but checks the message with several schemas first, and again when it serves it.
 */
export function eraOf(body: unknown, versionHeader: string | undefined): "modern" | "legacy" | undefined {
  if (claimsModernEra(body)) return "modern";
  const isLegacyVersion = versionHeader === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(versionHeader);
  return isLegacyVersion && isPlainCall(body) ? "legacy" : undefined;
}

/** Whether it is a request or a notification without metadata, and nothing else is in it. */
export function isPlainCall(body: unknown): body is JSONRPCMessage {
  if (!isRecord(body) || body["jsonrpc"] !== "2.0" || typeof body["method"] !== "string") return false;
  const { id, params } = body;
  if ("id" in body && typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if ("params" in body && (!isRecord(params) || "_meta" in params)) return false;
  return Object.keys(body).every((key) => CALL_KEYS.has(key));
}

const CALL_KEYS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

function claimsModernEra(body: unknown): boolean {
  if (!isRecord(body) || typeof body["method"] !== "string" || body["method"] === "initialize") return false;
  if ("result" in body || "error" in body) return false;
  const { params } = body;
  return isRecord(params) && isRecord(params["_meta"]) && PROTOCOL_VERSION_META_KEY in params["_meta"];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
