/** An answer that is given before the SDK is loaded; the SDK answers the same later, and that is dropped. */
export interface EarlyAnswer {
  readonly id: Id;
  readonly line: string;
}

export type Id = string | number;

export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** Whether a value is an object with none but these fields, each as it should be. */
export function hasOnly(
  value: unknown,
  fields: Readonly<Record<string, Check>>,
): value is Readonly<Record<string, unknown>> {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, inner]) => Object.hasOwn(fields, key) && fields[key]?.(inner) === true)
  );
}

/** An answer with this JSON text as its result. */
export function answerLine(id: Id, result: string): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`;
}
