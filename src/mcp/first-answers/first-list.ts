import { hasOnly, type Id, isEmptyObject, isId, isObject, isText, parseLine } from "./first-message.ts";

/** The id of a plain `tools/list`; undefined for anything else, and for whatever the SDK might answer in another way. */
export function idOfPlainList(line: string): Id | undefined {
  const message = parseLine(line);
  if (!hasOnly(message, { jsonrpc: isText, id: isId, method: isText, params: isEmptyObject }))
    return undefined;
  const { jsonrpc, id, method } = message;
  return jsonrpc === "2.0" && method === "tools/list" && isId(id) ? id : undefined;
}

/** Whether a line says that the client is initialized, to which nobody answers. */
export function isInitialized(line: string): boolean {
  const message = parseLine(line);
  return isObject(message) && message["method"] === "notifications/initialized" && !("id" in message);
}
