import type { ServerCapabilities } from "../server/capabilities.ts";
import {
  type Check,
  hasOnly,
  type Id,
  isEmptyObject,
  isObject,
  isText,
  parseRequest,
  responseLine,
} from "./plain-message.ts";

interface InitializeAnswer {
  readonly id: Id;
  readonly line: string;
  /** What the client calls itself. */
  readonly clientName: string;
}

/** The SDK supports these and confirms whichever the client asks for. */
const VERSIONS: ReadonlySet<unknown> = new Set([
  "2024-10-07",
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
]);

const isFlag: Check = (value) => typeof value === "boolean";
const isAnyObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

/** What clients are known to declare. Anything else is left to the SDK, which knows whether it is valid. */
const CLIENT_INFO = { name: isText, version: isText, title: isText };
const CAPABILITIES = {
  roots: (value: unknown) => hasOnly(value, { listChanged: isFlag }),
  sampling: (value: unknown) => hasOnly(value, { context: isEmptyObject, tools: isEmptyObject }),
  elicitation: (value: unknown) => hasOnly(value, { form: isEmptyObject, url: isEmptyObject }),
  experimental: isAnyObjects,
  extensions: isAnyObjects,
};
const PARAMS = {
  protocolVersion: (version: unknown) => VERSIONS.has(version),
  capabilities: (value: unknown) => hasOnly(value, CAPABILITIES),
  clientInfo: (value: unknown) =>
    hasOnly(value, CLIENT_INFO) && isText(value["name"]) && isText(value["version"]),
};

/**
 * Answers a plain `initialize` as the SDK would, without the SDK. Undefined for any other line, and for anything that
 * the SDK might refuse or answer differently.
 */
export function answerInitialize(
  line: string,
  { capabilities, serverInfo, instructions }: ServerCapabilities,
): InitializeAnswer | undefined {
  const request = parseRequest(line, "initialize", isObject);
  const params = request?.params;
  if (request === undefined || !hasOnly(params, PARAMS)) return undefined;
  if (Object.keys(params).length < Object.keys(PARAMS).length) return undefined;
  const { protocolVersion, clientInfo } = params;
  const result = { protocolVersion, capabilities, serverInfo, instructions };
  const { name } = clientInfo as { readonly name: string };
  return { id: request.id, line: responseLine(request.id, JSON.stringify(result)), clientName: name };
}
