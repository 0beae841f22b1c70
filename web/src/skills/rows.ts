import type { SkillColumns, SkillStatus } from "../../../src/http/api/wire.ts";
import { libraryKey } from "../state/route.ts";
import type { Facts } from "./facts.ts";
import { isStatus } from "./status.ts";

/** Every skill, by the number of its row. */
export interface Rows {
  readonly count: number;
  name(row: number): string;
  description(row: number): string;
  provider(row: number): string;
  location(row: number): string;
  plugin(row: number): string;
  status(row: number): SkillStatus;
  file(row: number): string;
  /** Whether agents can load it. */
  isServed(row: number): boolean;
  /** Identifies a served skill: its name, with a prefix for library skills, whose names may clash; undefined if not served. */
  key(row: number): string | undefined;
  byKey(key: string): number | undefined;
  byFile(file: string): number | undefined;
  /** The searchable text, in lower case. */
  text(row: number): string;
}

const SERVED: ReadonlySet<string> = new Set(["ok", "warning", "ambiguous"]);

export function createRows(columns: SkillColumns): Rows {
  const { count, name, description, provider, location, plugin, status, folder, tail } = columns;
  const valueAt = (column: typeof provider, row: number): string => column.values[column.at[row] ?? -1] ?? "";
  const texts: string[] = [];
  const keys = new Map<string, number>();
  const rows: Rows = {
    count,
    name: (row) => name[row] ?? "",
    description: (row) => description[row] ?? "",
    provider: (row) => valueAt(provider, row),
    location: (row) => valueAt(location, row),
    plugin: (row) => valueAt(plugin, row),
    status(row) {
      const value = valueAt(status, row);
      return isStatus(value) ? value : "ok";
    },
    file: (row) => valueAt(folder, row) + (tail[row] ?? ""),
    isServed: (row) => SERVED.has(valueAt(status, row)),
    key(row) {
      if (!rows.isServed(row)) return undefined;
      return rows.provider(row) === "library" ? libraryKey(rows.name(row)) : rows.name(row);
    },
    byKey: (key) => keys.get(key) ?? keys.get(libraryKey(key)),
    byFile(file) {
      for (let row = 0; row < count; row++) {
        const end = tail[row] ?? "";
        if (file.endsWith(end) && rows.file(row) === file) return row;
      }
      return undefined;
    },
    text(row) {
      texts[row] ??=
        `${rows.name(row)} ${rows.description(row)} ${rows.plugin(row)} ${tail[row] ?? ""}`.toLowerCase();
      return texts[row];
    },
  };
  for (let row = 0; row < count; row++) {
    const key = rows.key(row);
    if (key !== undefined) keys.set(key, row);
  }
  return rows;
}

export const FILTERS = [
  "status",
  "provider",
  "location",
  "source",
  "plugin",
  "kind",
  "used",
  "findings",
] as const;
export type FilterName = (typeof FILTERS)[number];
export type RowFilter = Readonly<Partial<Record<FilterName, string>>>;

/** Empty where it is not known, or the filter does not apply. */
function filterValue(rows: Rows, facts: Facts, name: FilterName, row: number): string {
  switch (name) {
    case "kind":
      return rows.provider(row) === "library" ? "library" : "skills";
    case "source":
      return facts.source(row) ?? "";
    case "used": {
      const uses = rows.isServed(row) ? facts.uses(row) : undefined;
      return uses === undefined ? "" : uses > 0 ? "used" : "never";
    }
    case "findings": {
      const found = facts.findings(row);
      if (found === undefined) return "";
      return found.errors > 0 ? "errors" : found.others > 0 ? "warnings" : "none";
    }
    default:
      return rows[name](row);
  }
}

/** The rows that match every filter, in order. */
export function filterRows(rows: Rows, facts: Facts, filter: RowFilter): readonly number[] {
  const wanted = FILTERS.flatMap((name) =>
    filter[name] === undefined ? [] : [[name, filter[name]] as const],
  );
  const passed: number[] = [];
  for (let row = 0; row < rows.count; row++) {
    if (wanted.every(([name, value]) => filterValue(rows, facts, name, row) === value)) passed.push(row);
  }
  return passed;
}

export type ValueCounts = ReadonlyMap<FilterName, ReadonlyMap<string, number>>;

/** How many rows each value of each filter would show, given the other filters. */
export function countValues(rows: Rows, facts: Facts, filter: RowFilter): ValueCounts {
  const counts = new Map(FILTERS.map((name) => [name, new Map<string, number>()]));
  const wanted = FILTERS.filter((name) => filter[name] !== undefined);
  const add = (name: FilterName, row: number): void => {
    const value = filterValue(rows, facts, name, row);
    const ofName = counts.get(name);
    if (value !== "" && ofName !== undefined) ofName.set(value, (ofName.get(value) ?? 0) + 1);
  };
  for (let row = 0; row < rows.count; row++) {
    let misses = 0;
    let missed: FilterName | undefined;
    for (const name of wanted) {
      if (filterValue(rows, facts, name, row) === filter[name]) continue;
      misses++;
      missed = name;
    }
    // A row that one filter alone leaves out counts for the values of that filter.
    if (missed === undefined) for (const name of FILTERS) add(name, row);
    else if (misses === 1) add(missed, row);
  }
  return counts;
}

/** The ranked rows first, then other rows that contain every word. */
export function orderFound(
  rows: Rows,
  passed: readonly number[],
  query: string,
  ranked: readonly string[],
): readonly number[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return passed;
  const allowed = new Set(passed);
  const first = ranked.flatMap((name) => {
    const row = rows.byKey(name);
    return row !== undefined && allowed.has(row) ? [row] : [];
  });
  const shown = new Set(first);
  const rest = passed.filter(
    (row) => !shown.has(row) && words.every((word) => rows.text(row).includes(word)),
  );
  return [...first, ...rest];
}
