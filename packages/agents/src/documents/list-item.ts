import type { EntryPlace } from "./document.ts";

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether an item of a list is the entry. */
export function isItem({ name, isEntry }: EntryPlace, item: unknown): boolean {
  return isMap(item) && (isEntry === undefined ? item["name"] === name : isEntry(item));
}
