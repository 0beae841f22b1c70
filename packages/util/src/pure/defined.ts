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
