import type { Offer } from "./offer.ts";

/** An answer that is given before the SDK is loaded; the SDK answers the same later, and that is dropped. */
export interface EarlyAnswer {
  readonly id: string | number;
  readonly line: string;
}

/** The SDK speaks these, and answers each with itself. */
const VERSIONS: ReadonlySet<unknown> = new Set([
  "2024-10-07",
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
]);

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isEmpty: Check = (value) => isObject(value) && Object.keys(value).length === 0;
const isAnyObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

/** What clients are known to declare. Whoever declares more waits for the SDK, which knows whether it is valid. */
const CLIENT_INFO = { name: isText, version: isText, title: isText };
const CAPABILITIES = {
  roots: (value: unknown) => hasOnly(value, { listChanged: isFlag }),
  sampling: (value: unknown) => hasOnly(value, { context: isEmpty, tools: isEmpty }),
  elicitation: (value: unknown) => hasOnly(value, { form: isEmpty, url: isEmpty }),
  experimental: isAnyObjects,
  extensions: isAnyObjects,
};

/**
 * Answers a plain `initialize`, so that a client need not wait until everything else is loaded. Undefined for anything
 * else, and for whatever the SDK might refuse or answer in another way.
 */
export function answerInitialize(line: string, offer: Offer): EarlyAnswer | undefined {
  const message = parse(line);
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
  const { protocolVersion } = params;
  const { capabilities, serverInfo, instructions } = offer;
  const result = { protocolVersion, capabilities, serverInfo, instructions };
  return { id, line: `${JSON.stringify({ result, jsonrpc, id })}\n` };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object with none but these fields, each as it should be. */
function hasOnly(
  value: unknown,
  fields: Readonly<Record<string, Check>>,
): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, inner]) => Object.hasOwn(fields, key) && fields[key]?.(inner) === true)
  );
}
