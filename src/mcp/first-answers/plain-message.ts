/** The id of a request. */
export type Id = string | number;

export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether a value is an object with no other fields than these, each as it should be. */
export function hasOnly(
  value: unknown,
  fields: Readonly<Record<string, Check>>,
): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, inner]) => Object.hasOwn(fields, key) && fields[key]?.(inner) === true)
  );
}

/** A request for `method` whose parameters pass `isParams`; undefined for any other line. */
export function parseRequest(
  line: string,
  method: string,
  isParams: Check,
): { readonly id: Id; readonly params: unknown } | undefined {
  const message = parseLine(line);
  if (!hasOnly(message, { jsonrpc: isText, id: isId, method: isText, params: isParams })) return undefined;
  const { id, params } = message;
  return message["jsonrpc"] === "2.0" && message["method"] === method && isId(id)
    ? { id, params }
    : undefined;
}

/** The id of a `tools/list` without parameters; undefined for any other line. */
export function idOfPlainList(line: string): Id | undefined {
  return parseRequest(line, "tools/list", isEmptyObject)?.id;
}

/** Whether a line is the `initialized` notification, which nobody answers. */
export function isInitialized(line: string): boolean {
  const message = parseLine(line);
  return isObject(message) && message["method"] === "notifications/initialized" && !("id" in message);
}

/** A response with this JSON text as its result. */
export function responseLine(id: Id, result: string): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
