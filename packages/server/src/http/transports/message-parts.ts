import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/server";

/** The ids of the requests among messages, which are known to be messages. */
export function requestIds(messages: readonly JSONRPCMessage[]): readonly RequestId[] {
  return messages.filter(isRequest).map(({ id }) => id);
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

/** What a request subscribes to, or no longer. */
export function subscriptionIn(message: JSONRPCMessage) {
  if (!("method" in message) || !("id" in message) || message.id === undefined) return undefined;
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
