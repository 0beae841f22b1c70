const LONGEST_QUERY = 200;

/** Empty for anything but a text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The texts of a list; none for anything but a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Queries that differ only in white space or case count as one. */
export function normalizedQuery(value: unknown): string {
  return textOf(value).trim().replace(/\s+/g, " ").toLowerCase().slice(0, LONGEST_QUERY);
}
