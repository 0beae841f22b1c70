import type { SkillColumns, SkillDetail } from "#server/wire";
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
  status(row: number): SkillDetail["status"];
  file(row: number): string;
  /** Whether agents can load it. */
  isServed(row: number): boolean;
  /** Identifies a served skill: its name, with a prefix for library skills, whose names may clash; undefined if not served. */
  key(row: number): string | undefined;
  byKey(key: string): number | undefined;
  byFile(file: string): number | undefined;
  /** The searchable text, in lower case. */
  text(row: number): string;
  /** Makes the texts of all rows, so that the first key of a search does not wait for them. */
  prepareTexts(): void;
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
    prepareTexts() {
      for (let row = 0; row < count; row++) rows.text(row);
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

/** Reads the value of a filter for a row: empty where it is not known, or the filter does not apply. */
type ReadValue = (row: number) => string;

/** Chosen once for all rows, of which there may be ten thousand. */
function valueReader(rows: Rows, facts: Facts, name: FilterName): ReadValue {
  switch (name) {
    case "kind":
      return (row) => (rows.provider(row) === "library" ? "library" : "skills");
    case "source":
      return (row) => facts.source(row) ?? "";
    case "used":
      return (row) => {
        const uses = rows.isServed(row) ? facts.uses(row) : undefined;
        if (uses === undefined) return "";
        return uses > 0 ? "used" : facts.isReadByAgents(row) ? "unknown" : "never";
      };
    case "findings":
      return (row) => {
        const found = facts.findings(row);
        if (found === undefined) return "";
        return found.errors > 0 ? "errors" : found.others > 0 ? "warnings" : "none";
      };
    default:
      return rows[name];
  }
}

/** The rows that match every filter, in order. */
export function filterRows(rows: Rows, facts: Facts, filter: RowFilter): readonly number[] {
  const missed = missedFilters(rows, facts, filter);
  const passed: number[] = [];
  for (let row = 0; row < rows.count; row++) if (missed[row] === PASSES) passed.push(row);
  return passed;
}

const PASSES = 0xff;
const MISSES_SEVERAL = 0xfe;

/** For each row the number of the one filter that leaves it out, or one of the values above. */
function missedFilters(rows: Rows, facts: Facts, filter: RowFilter): Uint8Array {
  const missed = new Uint8Array(rows.count).fill(PASSES);
  for (const [number, name] of FILTERS.entries()) {
    const wanted = filter[name];
    if (wanted === undefined) continue;
    const read = valueReader(rows, facts, name);
    for (let row = 0; row < rows.count; row++)
      if (read(row) !== wanted) missed[row] = missed[row] === PASSES ? number : MISSES_SEVERAL;
  }
  return missed;
}

export type ValueCounts = ReadonlyMap<FilterName, ReadonlyMap<string, number>>;

/** How many rows each value of each filter would show, given the other filters. */
export function countValues(rows: Rows, facts: Facts, filter: RowFilter): ValueCounts {
  const missed = missedFilters(rows, facts, filter);
  return new Map(
    FILTERS.map((name, number) => {
      // A row that this filter alone leaves out counts for its values.
      const isCounted = (row: number): boolean => missed[row] === PASSES || missed[row] === number;
      return [name, countOf(rows, valueReader(rows, facts, name), isCounted)];
    }),
  );
}

/** Rows that follow each other mostly have the same value, so runs are counted. */
function countOf(
  { count }: Rows,
  read: ReadValue,
  isCounted: (row: number) => boolean,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let value = "";
  let run = 0;
  const endRun = (): void => {
    if (value !== "") counts.set(value, (counts.get(value) ?? 0) + run);
    run = 0;
  };
  for (let row = 0; row < count; row++) {
    if (!isCounted(row)) continue;
    const next = read(row);
    if (next !== value) {
      endRun();
      value = next;
    }
    run++;
  }
  endRun();
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
