import type { Tool as ToolDefinition } from "@modelcontextprotocol/server";

type InputSchema = ToolDefinition["inputSchema"];
type OutputSchema = NonNullable<ToolDefinition["outputSchema"]>;

/** A JSON Schema of one value. */
type ValueSchema = Readonly<Record<string, unknown>>;

/** The fields of an object; those whose names end with `?` may be missing. */
type Fields = Readonly<Record<string, ValueSchema>>;

export const text: ValueSchema = { type: "string" };
/** Text that is not empty. */
export const filled: ValueSchema = { type: "string", minLength: 1 };
export const integer: ValueSchema = { type: "integer" };
export const number: ValueSchema = { type: "number" };
export const bool: ValueSchema = { type: "boolean" };

export function oneOf(...values: readonly string[]): ValueSchema {
  return { type: "string", enum: values };
}

export function list(items: ValueSchema): ValueSchema {
  return { type: "array", items };
}

export function described(schema: ValueSchema, description: string): ValueSchema {
  return { ...schema, description };
}

/** Further fields are allowed: a client must not break when an answer gains a field. */
export function object(fields: Fields): ValueSchema & { readonly required: readonly string[] } {
  return { type: "object", properties: propertiesOf(fields), required: requiredOf(fields) };
}

/** The input of a tool; further fields are refused. */
export function input(fields: Fields): InputSchema {
  const properties = propertiesOf(fields) as NonNullable<InputSchema["properties"]>;
  const required = requiredOf(fields);
  const asked = required.length === 0 ? {} : { required };
  return { type: "object", properties, ...asked, additionalProperties: false };
}

/**
 * What a tool answers: one of several kinds of objects. The root is a plain object with all their fields, because not
 * every client supports another root; `anyOf` then lists the required fields of each kind.
 */
export function answer(...kinds: readonly Fields[]): OutputSchema {
  const properties: Record<string, ValueSchema> = {};
  for (const fields of kinds) Object.assign(properties, propertiesOf(fields));
  const [first, ...others] = kinds.map((fields) => ({ required: requiredOf(fields) }));
  return others.length === 0
    ? { type: "object", properties, ...first }
    : { type: "object", properties, anyOf: [first, ...others] };
}

function propertiesOf(fields: Fields): Record<string, ValueSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ""), schema]),
  );
}

function requiredOf(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => !name.endsWith("?"));
}
