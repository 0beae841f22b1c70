/** The value of a JSON text, with or without a byte order mark; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** A JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields without those that are undefined: `{ a, ...defined({ b }) }` has no key `b` where there is no `b`. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  const found: Defined<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) found[name] = value as Exclude<Fields[typeof name], undefined>;
  }
  return found;
}
