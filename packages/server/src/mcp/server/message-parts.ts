import {
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
} from "@modelcontextprotocol/server";
import type { ClientInfo } from "#agents";

/** The version of the protocol in which every request is self-contained. */
export const MODERN_VERSION = "2026-07-28";

/** An object of a message, of which nothing else is known. */
export type MessageFields = Readonly<Record<string, unknown>>;

/** What comes over HTTP with a message of a client. What a replica repeats of a client comes without. */
export interface ClientMessage extends MessageExtraInfo {
  readonly httpRequestId: string | undefined;
}

/** The id of the HTTP request that brought a message. */
export function httpRequestIdOf(extra: MessageExtraInfo | undefined): string | undefined {
  if (extra !== undefined && "httpRequestId" in extra) return textOf(extra.httpRequestId);
  return extra?.request?.headers.get("x-request-id") ?? undefined;
}

/** Whether a message is a request. The SDK's own check compares the whole message with a schema, which is slow. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

/** The ids of the requests among messages. */
export function requestIds(messages: readonly JSONRPCMessage[]): readonly RequestId[] {
  return messages.filter(isRequest).map(({ id }) => id);
}

/** The metadata of a request; empty when it has none. */
export function metaOf({ params }: JSONRPCRequest): MessageFields {
  return fieldsOf(params?.["_meta"]);
}

/** The client that a request since 2026-07-28 names in its metadata. */
export function clientInMeta(meta: MessageFields): ClientInfo | undefined {
  return clientIn(meta[CLIENT_INFO_META_KEY]);
}

/** The client that `clientInfo` describes; undefined when it has no name. */
export function clientIn(info: unknown): ClientInfo | undefined {
  const { name, version } = fieldsOf(info);
  if (typeof name !== "string") return undefined;
  return typeof version === "string" ? { name, version } : { name };
}

/** The resource that a request subscribes to or unsubscribes from. */
export function subscriptionIn(message: JSONRPCMessage) {
  if (!isRequest(message)) return undefined;
  const isOn = message.method === "resources/subscribe";
  if (!isOn && message.method !== "resources/unsubscribe") return undefined;
  const uri: unknown = message.params?.["uri"];
  return typeof uri === "string" ? { id: message.id, uri, isOn } : undefined;
}

/** The request that a notification cancels. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The fields of an object; none for any other value. */
export function fieldsOf(value: unknown): MessageFields {
  return typeof value === "object" && value !== null ? (value as MessageFields) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
