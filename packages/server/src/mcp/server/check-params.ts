import { classifyInboundRequest, type JSONRPCRequest, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isRecord } from "#util/pure";
import type { RequestHandlers, Step } from "./pipeline.ts";
import { isRequest } from "./pipeline.ts";

type Params = Readonly<Record<string, unknown>>;

/** Why the parameters of a request cannot be used, as the end of a sentence; undefined when they can. */
type ParamsCheck = (params: Params) => string | undefined;

const CHECKS: Readonly<Record<string, ParamsCheck>> = {
  "tools/call": (params) => needsText(params, "name") ?? mayBeObject(params, "arguments"),
  "prompts/get": (params) => needsText(params, "name") ?? mayBeTexts(params, "arguments"),
  "resources/read": (params) => needsText(params, "uri"),
  "resources/subscribe": (params) => needsText(params, "uri"),
  "resources/unsubscribe": (params) => needsText(params, "uri"),
  "completion/complete": completionProblem,
  "tools/list": (params) => mayBeText(params, "cursor"),
  "prompts/list": (params) => mayBeText(params, "cursor"),
  "resources/list": (params) => mayBeText(params, "cursor"),
  "resources/templates/list": (params) => mayBeText(params, "cursor"),
};

/**
 * Refuses parameters that are not what the protocol defines, with -32602 and one sentence. The SDK answers most of them as an
 * internal error, and all of them with a dump of its schema's issues.
 */
export function checkParams(era: "legacy" | "modern", handlers: RequestHandlers): Step {
  const problemOf = (request: JSONRPCRequest): string | undefined => {
    const { method, params = {} } = request;
    const check =
      Object.hasOwn(CHECKS, method) && Object.hasOwn(handlers, method) ? CHECKS[method] : undefined;
    const problem = check?.(params);
    if (problem === undefined || era === "legacy") return problem;
    // What is wrong with its envelope, which the modern era needs, is said by the SDK.
    const { kind } = classifyInboundRequest({ httpMethod: "POST", body: request });
    return kind === "modern" ? problem : undefined;
  };
  return {
    receive(message, extra, next, reply) {
      const problem = isRequest(message) ? problemOf(message) : undefined;
      if (problem === undefined || !isRequest(message)) {
        next(message, extra);
        return;
      }
      const error = {
        code: ProtocolErrorCode.InvalidParams,
        message: `Invalid params of ${message.method}: ${problem}.`,
      };
      // Later, as a handler would: what is answered at once has another HTTP status.
      queueMicrotask(() => void reply({ jsonrpc: "2.0", id: message.id, error }).catch(() => {}));
    },
  };
}

function completionProblem(params: Params): string | undefined {
  const { ref, argument } = params;
  if (!isRecord(ref) || (ref["type"] !== "ref/prompt" && ref["type"] !== "ref/resource"))
    return "ref must be an object with the type ref/prompt or ref/resource";
  const named = needsText(ref, ref["type"] === "ref/prompt" ? "name" : "uri");
  if (named !== undefined) return `ref.${named}`;
  if (!isRecord(argument)) return "argument must be an object with the strings name and value";
  const problem = needsText(argument, "name") ?? needsText(argument, "value");
  return problem === undefined ? mayBeObject(params, "context") : `argument.${problem}`;
}

function needsText(fields: Params, key: string): string | undefined {
  return fields[key] === undefined ? `${key} is missing` : mayBeText(fields, key);
}

function mayBeText(fields: Params, key: string): string | undefined {
  const value = fields[key];
  return value === undefined || typeof value === "string" ? undefined : `${key} must be a string`;
}

function mayBeObject(fields: Params, key: string): string | undefined {
  const value = fields[key];
  return value === undefined || isRecord(value) ? undefined : `${key} must be an object, such as {}`;
}

function mayBeTexts(fields: Params, key: string): string | undefined {
  const values = fields[key];
  const problem = mayBeObject(fields, key);
  if (problem !== undefined || !isRecord(values)) return problem;
  const wrong = Object.keys(values).find((name) => typeof values[name] !== "string");
  return wrong === undefined ? undefined : `${key}.${wrong} must be a string`;
}
