import type { Catalog, Entry } from "./catalog.ts";

/** What a refresh changed that a client can see in a listing. */
export interface CatalogChange {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

/** The difference between two catalogs as clients see them, or undefined when there is none. */
export function visibleChange(before: Catalog, after: Catalog): CatalogChange | undefined {
  if (before === after) return undefined;
  const old = new Map(before.entries.map((entry) => [entry.listedAs, entry]));
  let added = 0;
  let changed = 0;
  for (const entry of after.entries) {
    const previous = old.get(entry.listedAs);
    if (previous === undefined) added++;
    else if (!looksTheSame(previous, entry)) changed++;
  }
  const removed = before.entries.length - (after.entries.length - added);
  return added + changed + removed === 0 ? undefined : { added, removed, changed };
}

function looksTheSame(a: Entry, b: Entry): boolean {
  return (
    a.skill === b.skill ||
    (a.skill.description === b.skill.description &&
      a.skill.provider === b.skill.provider &&
      a.skill.location === b.skill.location &&
      a.skill.dir === b.skill.dir)
  );
}
