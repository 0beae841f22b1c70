/**
 * Front matter as data. Made without a prototype, so that no key an author writes can reach one; the keys that
 * reach it through other people's code when the data is copied are dropped.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function newFields(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

const DANGEROUS_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

export function isDangerousKey(key: string): boolean {
  return DANGEROUS_KEYS.includes(key);
}
