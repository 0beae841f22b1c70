import type { Facts } from "./facts.ts";
import type { Rows } from "./rows.ts";
import { STATUS } from "./status.ts";

/** The columns that one can choose. The name is always there. */
export const COLUMNS = {
  description: "Description",
  status: "Status",
  provider: "Provider",
  location: "Location",
  source: "Source",
  tokens: "Tokens",
  uses: "Uses",
  lastUsed: "Last used",
  changed: "Changed",
  findings: "Findings",
} as const;
export type Column = keyof typeof COLUMNS;

export const COLUMN_HINTS: Readonly<Partial<Record<Column, string>>> = {
  tokens: "About what loading its text costs a model",
  uses: "Loads through skills-mcp in the last 30 days",
  source: "The repository, plugin or lock that it comes from",
  changed: "When its file changed",
  findings: "Errors, and warnings and advice, of the scan, validate and audit",
};

export const DEFAULT_COLUMNS: readonly Column[] = [
  "description",
  "provider",
  "tokens",
  "uses",
  "lastUsed",
  "findings",
];

/** What rows can be sorted by. */
export const SORTS = [
  "name",
  "provider",
  "source",
  "tokens",
  "uses",
  "lastUsed",
  "changed",
  "findings",
] as const;
export type SortKey = (typeof SORTS)[number];

/** What rows can be grouped by. */
export const GROUPS = ["provider", "source", "location", "plugin", "status"] as const;
export type GroupKey = (typeof GROUPS)[number];

export interface TableState {
  /** Undefined: the order of the list, or of a search. */
  readonly sort: SortKey | undefined;
  readonly descending: boolean;
  readonly group: GroupKey | undefined;
  readonly columns: readonly Column[];
}

/** The state that an address has: `sort=-uses&group=source&cols=tokens,uses`. */
export function readTable(params: URLSearchParams): TableState {
  const sorted = params.get("sort") ?? "";
  const name = sorted.replace(/^-/, "");
  const cols = params.get("cols");
  return {
    sort: SORTS.find((key) => key === name),
    descending: sorted.startsWith("-"),
    group: GROUPS.find((key) => key === params.get("group")),
    columns:
      cols === null
        ? DEFAULT_COLUMNS
        : (Object.keys(COLUMNS) as Column[]).filter((column) => cols.split(",").includes(column)),
  };
}

/** The parameters of columns; undefined for the usual ones. `none` because an empty parameter is left out. */
export function columnsParam(columns: readonly Column[]): string | undefined {
  const wanted = (Object.keys(COLUMNS) as Column[]).filter((column) => columns.includes(column));
  if (wanted.join() === DEFAULT_COLUMNS.join()) return undefined;
  return wanted.length === 0 ? "none" : wanted.join();
}

/** Numbers and days are most useful from the largest. */
const LARGEST_FIRST: ReadonlySet<SortKey> = new Set(["tokens", "uses", "lastUsed", "changed", "findings"]);

/** What a click on a heading leads to: sorted, the other way round, as it was. */
export function nextSort({ sort, descending }: TableState, key: SortKey): string | undefined {
  const first = LARGEST_FIRST.has(key);
  if (sort !== key) return first ? `-${key}` : key;
  return descending === first ? (first ? key : `-${key}`) : undefined;
}

/** The rows in another order; equal ones stay as they were. */
export function sortRows(
  rows: Rows,
  facts: Facts,
  shown: readonly number[],
  { sort, descending }: Pick<TableState, "sort" | "descending">,
): readonly number[] {
  if (sort === undefined) return shown;
  const keys = shown.map((row) => sortValue(rows, facts, row, sort));
  const sign = descending ? -1 : 1;
  return shown
    .map((_, place) => place)
    .sort((a, b) => {
      const one = keys[a];
      const other = keys[b];
      // What is not known comes last, whichever way.
      if (one === undefined || other === undefined) return one === other ? a - b : one === undefined ? 1 : -1;
      return one < other ? -sign : one > other ? sign : a - b;
    })
    .map((place) => shown[place] ?? 0);
}

function sortValue(rows: Rows, facts: Facts, row: number, key: SortKey): number | string | undefined {
  switch (key) {
    case "name":
      return rows.name(row).toLowerCase();
    case "provider":
      return rows.provider(row) || undefined;
    case "source":
      return facts.source(row);
    case "findings": {
      const found = facts.findings(row);
      // One error is worse than any number of warnings.
      return found && found.errors * 10_000 + found.others;
    }
    case "lastUsed":
      return facts.lastUsed(row) || undefined;
    default:
      return facts[key](row);
  }
}

/** What the list draws, one line each: a row, or the heading of a group as `-1` for the first, `-2` for the second, … */
export interface Lines {
  readonly lines: readonly number[];
  readonly groups: readonly { readonly label: string; readonly rows: readonly number[] }[];
}

/** Rows in groups, the largest first; within a group they keep their order. A closed group is its heading alone. */
export function groupRows(
  rows: Rows,
  facts: Facts,
  shown: readonly number[],
  group: GroupKey | undefined,
  closed: ReadonlySet<string>,
): Lines {
  if (group === undefined) return { lines: shown, groups: [] };
  const byLabel = new Map<string, number[]>();
  for (const row of shown) {
    const label = groupLabel(rows, facts, row, group);
    const members = byLabel.get(label);
    if (members === undefined) byLabel.set(label, [row]);
    else members.push(row);
  }
  const groups = Array.from(byLabel, ([label, members]) => ({ label, rows: members })).sort(
    (a, b) => b.rows.length - a.rows.length || (a.label < b.label ? -1 : 1),
  );
  const lines: number[] = [];
  for (const [index, { label, rows: members }] of groups.entries()) {
    lines.push(-1 - index);
    if (!closed.has(label)) for (const row of members) lines.push(row);
  }
  return { lines, groups };
}

function groupLabel(rows: Rows, facts: Facts, row: number, group: GroupKey): string {
  if (group === "status") return STATUS[rows.status(row)].label;
  if (group === "source") return facts.source(row) ?? "…";
  return rows[group](row) || "none";
}

/** The place of the next row in a direction, over the headings of groups. */
export function nextPlace(lines: readonly number[], from: number, to: number): number {
  const step = to >= from ? 1 : -1;
  const wanted = Math.max(0, Math.min(lines.length - 1, to));
  for (const direction of [step, -step])
    for (let place = wanted; place >= 0 && place < lines.length; place += direction)
      if ((lines[place] ?? -1) >= 0) return place;
  return wanted;
}

/** The lines that are drawn. The element of a line is its slot, counted from `base`. */
export interface View {
  readonly first: number;
  readonly count: number;
  readonly base: number;
}

/**
 * The next view. A line that stays in view keeps its element, and lines that enter get those of the lines that left. After a
 * jump no line stays: then every element keeps its place among the others, because moving one costs more than a new text.
 */
export function viewAt(old: View, first: number, count: number): View {
  if (old.first === first && old.count === count) return old;
  if (old.count !== count) return { first, count, base: first };
  const jump = first - old.first;
  return { first, count, base: Math.abs(jump) < count ? old.base : old.base + jump };
}

export function slotOf({ count, base }: View, place: number): number {
  return (((place - base) % count) + count) % count;
}
