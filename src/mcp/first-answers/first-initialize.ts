import type { Offer } from "../server/capabilities.ts";
import {
  answerLine,
  type Check,
  type EarlyAnswer,
  hasOnly,
  isEmptyObject,
  isId,
  isObject,
  isText,
  parseLine,
} from "./first-message.ts";

interface Introduction extends EarlyAnswer {
  /** What the client calls itself. */
  readonly clientName: string;
}

/** The SDK speaks these, and answers each with itself. */
const VERSIONS: ReadonlySet<unknown> = new Set([
  "2024-10-07",
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
]);

const isFlag: Check = (value) => typeof value === "boolean";
const isAnyObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

/** What clients are known to declare. Whoever declares more waits for the SDK, which knows whether it is valid. */
const CLIENT_INFO = { name: isText, version: isText, title: isText };
const CAPABILITIES = {
  roots: (value: unknown) => hasOnly(value, { listChanged: isFlag }),
  sampling: (value: unknown) => hasOnly(value, { context: isEmptyObject, tools: isEmptyObject }),
  elicitation: (value: unknown) => hasOnly(value, { form: isEmptyObject, url: isEmptyObject }),
  experimental: isAnyObjects,
  extensions: isAnyObjects,
};

/**
 * Answers a plain `initialize`, so that a client need not wait until everything else is loaded. Undefined for anything
 * else, and for whatever the SDK might refuse or answer in another way.
 */
export function answerInitialize(line: string, offer: Offer): Introduction | undefined {
  const message = parseLine(line);
  if (!hasOnly(message, { jsonrpc: isText, id: isId, method: isText, params: isObject })) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "initialize" || !isId(id)) return undefined;
  const checks = {
    protocolVersion: (version: unknown) => VERSIONS.has(version),
    capabilities: (value: unknown) => hasOnly(value, CAPABILITIES),
    clientInfo: (value: unknown) =>
      hasOnly(value, CLIENT_INFO) && isText(value["name"]) && isText(value["version"]),
  };
  if (!hasOnly(params, checks) || Object.keys(params).length < Object.keys(checks).length) return undefined;
  const { protocolVersion, clientInfo } = params;
  const { capabilities, serverInfo, instructions } = offer;
  const result = { protocolVersion, capabilities, serverInfo, instructions };
  const { name } = clientInfo as { readonly name: string };
  return { id, line: answerLine(id, JSON.stringify(result)), clientName: name };
}
