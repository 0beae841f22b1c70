import {
  isInitializeRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  parseJSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Id } from "./plain-requests.ts";

/** JSON-RPC error codes of messages that never reach a server. */
export const RPC_ERRORS = { parseError: -32_700, invalidRequest: -32_600, invalidParams: -32_602 } as const;

/** More messages in one batch are refused. */
export const MAX_BATCH = 100;

/** An error as the answer to a message; its id is null where the message has none that can be read. */
export interface RpcRefusal {
  readonly jsonrpc: "2.0";
  readonly id: Id | null;
  readonly error: { readonly code: number; readonly message: string };
}

export type ReadMessage =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "refused"; readonly refusal: RpcRefusal }
  /** A response that is none: an answer to it would be a response to a response. */
  | { readonly kind: "ignored" };

/** One message of a client, or why it is none. */
export function readMessage(value: unknown): ReadMessage {
  const problem = initializeProblem(value);
  if (problem !== undefined)
    return { kind: "refused", refusal: refusal(idOf(value), RPC_ERRORS.invalidParams, problem) };
  try {
    return { kind: "message", message: parseJSONRPCMessage(value) };
  } catch {
    if (isRecord(value) && !("method" in value) && ("result" in value || "error" in value))
      return { kind: "ignored" };
    return { kind: "refused", refusal: invalidRequest(value, NOT_A_MESSAGE) };
  }
}

const NOT_A_MESSAGE = "not a JSON-RPC request, response or notification";

/** `value`: what was sent, whose id the answer has. */
export function invalidRequest(value: unknown, problem: string): RpcRefusal {
  return refusal(idOf(value), RPC_ERRORS.invalidRequest, `Invalid Request: ${problem}.`);
}

export function refusal(id: Id | null, code: number, message: string): RpcRefusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Why an `initialize` cannot be answered, in one sentence; undefined for any other message. The SDK dumps its schema's issues. */
function initializeProblem(message: unknown): string | undefined {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0" || message["method"] !== "initialize")
    return undefined;
  const { params } = message;
  if (idOf(message) === null) return undefined;
  // Since 2026-07-28 there is no such method; the SDK says so.
  if (isRecord(params) && isRecord(params["_meta"]) && PROTOCOL_VERSION_META_KEY in params["_meta"])
    return undefined;
  const problem = paramsProblem(params) ?? (isInitializeRequest(message) ? undefined : OTHER_PROBLEM);
  return problem === undefined ? undefined : `Invalid params of initialize: ${problem}.`;
}

const OTHER_PROBLEM = "capabilities or clientInfo is not what the protocol defines";

function paramsProblem(params: unknown): string | undefined {
  if (!isRecord(params)) return "protocolVersion, capabilities and clientInfo are missing";
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string") return 'protocolVersion must be a string, such as "2025-11-25"';
  if (!isRecord(capabilities)) return "capabilities must be an object, such as {}";
  if (!isRecord(clientInfo)) return "clientInfo must be an object with the strings name and version";
  for (const key of ["name", "version"])
    if (typeof clientInfo[key] !== "string") return `clientInfo.${key} must be a string`;
  return undefined;
}

function idOf(value: unknown): Id | null {
  const id = isRecord(value) ? value["id"] : undefined;
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
