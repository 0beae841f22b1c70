import type { ClientInfo } from "#agents";
import type { ServerCapabilities } from "./capabilities.ts";

/** The id of a request. */
export type Id = string | number;

type ValueCheck = (value: unknown) => boolean;

const isText: ValueCheck = (value) => typeof value === "string";

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether a value is an object with no other fields than these, each with a valid value. */
function hasOnly(
  value: unknown,
  fields: Readonly<Record<string, ValueCheck>>,
): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, inner]) => Object.hasOwn(fields, key) && fields[key]?.(inner) === true)
  );
}

interface PlainInitialize {
  readonly id: Id;
  readonly client: ClientInfo;
  readonly protocolVersion: unknown;
}

/** The SDK supports these and confirms whichever the client asks for. */
const VERSIONS: ReadonlySet<unknown> = new Set([
  "2024-10-07",
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
]);

const isFlag: ValueCheck = (value) => typeof value === "boolean";
const isAnyObjects: ValueCheck = (value) => isObject(value) && Object.values(value).every(isObject);

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

/** Reads a plain `initialize`. Undefined for any other line, and for anything that the SDK might refuse. */
export function readInitialize(line: string): PlainInitialize | undefined {
  const request = parseRequest(line, "initialize", isObject);
  const params = request?.params;
  if (request === undefined || !hasOnly(params, PARAMS)) return undefined;
  if (Object.keys(params).length < Object.keys(PARAMS).length) return undefined;
  const { protocolVersion, clientInfo } = params;
  const { name, version } = clientInfo as { readonly name: string; readonly version: string };
  return { id: request.id, client: { name, version }, protocolVersion };
}

/** The answer of the SDK, without the SDK. */
export function answerInitialize(
  { id, protocolVersion }: PlainInitialize,
  { capabilities, serverInfo, instructions }: ServerCapabilities,
): string {
  return responseLine(id, JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions }));
}

/** The id of a `tools/list` without parameters; undefined for any other line. */
export function idOfPlainList(line: string): Id | undefined {
  return parseRequest(line, "tools/list", isEmptyObject)?.id;
}

/** Whether a line is the `initialized` notification, which has no response. */
export function isInitialized(line: string): boolean {
  const message = parseLine(line);
  return isObject(message) && message["method"] === "notifications/initialized" && !("id" in message);
}

/** A response with this JSON text as its result. */
export function responseLine(id: Id, result: string): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
}

/** A request for `method` whose parameters pass `isParams`; undefined for any other line. */
function parseRequest(
  line: string,
  method: string,
  isParams: ValueCheck,
): { readonly id: Id; readonly params: unknown } | undefined {
  const message = parseLine(line);
  if (!hasOnly(message, { jsonrpc: isText, id: isId, method: isText, params: isParams })) return undefined;
  const { id, params } = message;
  return message["jsonrpc"] === "2.0" && message["method"] === method && isId(id)
    ? { id, params }
    : undefined;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
