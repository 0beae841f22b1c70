/**
 * What the value of a setting may be, as plain data: the schema of files (schema.ts), flags and variables are made of it.
 * `allowed` is the end of a sentence that says what is wrong.
 */
export type ValueType =
  | { readonly kind: "boolean" }
  | { readonly kind: "number"; readonly whole: boolean; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | TextType
  | { readonly kind: "list"; readonly of: TextType; readonly allowed: string }
  /** Commands by file extension. */
  | { readonly kind: "runners" };

export interface TextType {
  readonly kind: "text";
  readonly allowed: string;
  readonly accepts: (text: string) => boolean;
  /** A path is made absolute, an extension is written in lower case, a filter is checked by schema.ts. */
  readonly as?: "path" | "extension" | "filter";
}

/** The TypeScript type of such a value. */
export type ValueOf<T extends ValueType> = T extends { readonly kind: "boolean" }
  ? boolean
  : T extends { readonly kind: "number" }
    ? number
    : T extends { readonly kind: "choice"; readonly choices: readonly (infer C)[] }
      ? C
      : T extends { readonly kind: "list" }
        ? readonly string[]
        : T extends { readonly kind: "runners" }
          ? Readonly<Record<string, string>>
          : string;

export const BOOLEAN = { kind: "boolean" } as const;

/** A number from 0 to 1. */
export const SHARE = { kind: "number", whole: false, min: 0, max: 1 } as const;

export const whole = (min: number, max: number) => ({ kind: "number", whole: true, min, max }) as const;

export const choice = <const C extends readonly string[]>(choices: C) =>
  ({ kind: "choice", choices }) as const;

export function text(
  allowed: string,
  accepts: RegExp | TextType["accepts"],
  as?: NonNullable<TextType["as"]>,
): TextType {
  const test = typeof accepts === "function" ? accepts : (given: string) => accepts.test(given);
  return { kind: "text", allowed, accepts: test, ...(as === undefined ? {} : { as }) };
}

export const list = (of: TextType, allowed: string) => ({ kind: "list", of, allowed }) as const;

/** What a value of this type must be, as the end of a sentence. */
export function allowedText(type: ValueType): string {
  if (type.kind === "boolean") return "true or false";
  if (type.kind === "number") return `a ${type.whole ? "whole " : ""}number from ${type.min} to ${type.max}`;
  if (type.kind === "choice")
    return `${type.choices.slice(0, -1).join(", ")} or ${type.choices.at(-1) ?? ""}`;
  return type.kind === "runners" ? "a map of file extensions to commands" : type.allowed;
}

/** The value that a text stands for in the environment; undefined when it is not allowed there. */
export function valueFromText(type: ValueType, given: string): unknown {
  if (type.kind === "boolean") return given === "true" ? true : given === "false" ? false : undefined;
  if (type.kind === "choice") return type.choices.find((one) => one === given);
  if (type.kind === "text") return type.accepts(given) ? given : undefined;
  if (type.kind !== "number") return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  return value >= type.min && value <= type.max ? value : undefined;
}
