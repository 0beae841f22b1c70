import {
  isJsonContentType,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isRecord } from "#util/pure";
import { MAX_BATCH, readMessage } from "../../mcp/server/read-message.ts";
import { type Exchange, HttpRefusal, RPC } from "../server/exchange.ts";

/** The messages of a body of the older era, which may be a batch. */
export function parseMessages({ request }: Exchange, body: unknown): readonly JSONRPCMessage[] {
  if (!isJsonContentType(request.headers["content-type"]))
    throw new HttpRefusal(415, "Content-Type must be application/json.");
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (items.length === 0 || items.length > MAX_BATCH)
    throw invalidRequest(`a batch has 1 to ${MAX_BATCH} messages`);
  return items.map((item) =>
    isPlainCall(item) && !("method" in item && item.method === "initialize") ? item : parseMessage(item),
  );
}

function parseMessage(item: unknown): JSONRPCMessage {
  const read = readMessage(item);
  if (read.kind === "message") return read.message;
  if (read.kind === "ignored") throw invalidRequest("not a JSON-RPC response");
  const { id, error } = read.refusal;
  throw new HttpRefusal(400, error.message, {}, error.code, id);
}

export function invalidRequest(problem: string): HttpRefusal {
  return new HttpRefusal(400, `Invalid Request: ${problem}.`, {}, RPC.invalidRequest);
}

export function unknownSession(): HttpRefusal {
  return new HttpRefusal(404, "Session not found", {}, RPC.sessionNotFound);
}

/**
 * The era of a message where it is obvious, as for nearly every one; undefined when the SDK must decide. The SDK comes to the
 * same result, but validates the message with several schemas first.
 */
export function eraOf(body: unknown, versionHeader: string | undefined): "modern" | "legacy" | undefined {
  if (claimsModernEra(body)) return "modern";
  const isLegacyVersion = versionHeader === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(versionHeader);
  return isLegacyVersion && isPlainCall(body) ? "legacy" : undefined;
}

const CALL_KEYS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);

/** Whether it is a request or a notification without metadata, and nothing else is in it. */
export function isPlainCall(body: unknown): body is JSONRPCMessage {
  if (!isRecord(body) || body["jsonrpc"] !== "2.0" || typeof body["method"] !== "string") return false;
  const { id, params } = body;
  if ("id" in body && typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if ("params" in body && (!isRecord(params) || "_meta" in params)) return false;
  return Object.keys(body).every((key) => CALL_KEYS.has(key));
}

function claimsModernEra(body: unknown): boolean {
  if (!isRecord(body) || typeof body["method"] !== "string" || body["method"] === "initialize") return false;
  if ("result" in body || "error" in body) return false;
  const { params } = body;
  return isRecord(params) && isRecord(params["_meta"]) && PROTOCOL_VERSION_META_KEY in params["_meta"];
}
