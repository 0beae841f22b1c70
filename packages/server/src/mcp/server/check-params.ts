import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";

type Fields = Readonly<Record<string, unknown>>;
type Handler = (request: { readonly params?: Fields }, context: ServerContext) => unknown;

/** Why the parameters of a request cannot be used, as the end of a sentence; undefined when they can. */
type Check = (params: Fields) => string | undefined;

const CHECKS: Readonly<Record<string, Check>> = {
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
 * internal error, and all of them with a dump of its schema's issues. Has to be called before handlers are set.
 */
export function checkParams(server: McpServer["server"]): void {
  const hooks = server as unknown as { _wrapHandler(method: string, handler: Handler): Handler };
  const wrap = hooks._wrapHandler.bind(server);
  hooks._wrapHandler = (method, handler) => {
    const wrapped = wrap(method, handler);
    const check = Object.hasOwn(CHECKS, method) ? CHECKS[method] : undefined;
    if (check === undefined) return wrapped;
    return (request, context) => {
      const problem = check(request.params ?? {});
      if (problem !== undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid params of ${method}: ${problem}.`);
      return wrapped(request, context);
    };
  };
}

function completionProblem(params: Fields): string | undefined {
  const { ref, argument } = params;
  if (!isObject(ref) || (ref["type"] !== "ref/prompt" && ref["type"] !== "ref/resource"))
    return "ref must be an object with the type ref/prompt or ref/resource";
  const named = needsText(ref, ref["type"] === "ref/prompt" ? "name" : "uri");
  if (named !== undefined) return `ref.${named}`;
  if (!isObject(argument)) return "argument must be an object with the strings name and value";
  const problem = needsText(argument, "name") ?? needsText(argument, "value");
  return problem === undefined ? mayBeObject(params, "context") : `argument.${problem}`;
}

function needsText(fields: Fields, key: string): string | undefined {
  return fields[key] === undefined ? `${key} is missing` : mayBeText(fields, key);
}

function mayBeText(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return value === undefined || typeof value === "string" ? undefined : `${key} must be a string`;
}

function mayBeObject(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return value === undefined || isObject(value) ? undefined : `${key} must be an object, such as {}`;
}

function mayBeTexts(fields: Fields, key: string): string | undefined {
  const values = fields[key];
  const problem = mayBeObject(fields, key);
  if (problem !== undefined || !isObject(values)) return problem;
  const wrong = Object.keys(values).find((name) => typeof values[name] !== "string");
  return wrong === undefined ? undefined : `${key}.${wrong} must be a string`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
