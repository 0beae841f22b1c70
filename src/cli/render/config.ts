import { keyPath, leavesOf } from "../../app/config/leaves.ts";
import type { Config, Origin } from "../../app/config/settings.ts";
import { columnsOf, padToColumns, printable } from "./columns.ts";
import type { Style } from "./style.ts";

/** A longer value pushes its own line out of the table, not every line. */
const WIDEST_VALUE = 40;
const GAP = "  ";

/** What a setting means that nobody set, where no value says it. */
const UNSET: Readonly<Record<string, string>> = {
  "scripts.sandbox": "preferred on stdio, required over HTTP",
};

/** What `config --json` prints: a value that nobody set is null. */
export function configJson({ values, origins }: Config) {
  return {
    values: JSON.parse(JSON.stringify(values, (_key, value: unknown) => value ?? null)) as unknown,
    origins: Object.fromEntries(origins),
  };
}

/** What `config` prints for people: a table of key, value and origin. */
export function renderConfig({ values, origins }: Config, style: Style): string {
  const rows = leavesOf(values).map(({ parts, value }) => {
    const key = keyPath(parts);
    const origin = origins.get(key) ?? { kind: "default" };
    return { key: printable(key), value: shownValue(key, value), origin };
  });
  const keyColumns = widest(["KEY", ...rows.map((row) => row.key)]);
  const valueColumns = Math.min(WIDEST_VALUE, widest(["VALUE", ...rows.map((row) => row.value)]));
  const cells = (key: string, value: string): readonly [string, string] => [
    padToColumns(key, keyColumns),
    padToColumns(value, valueColumns),
  ];
  const heading = [...cells("KEY", "VALUE"), "FROM"].map(style.dim);
  const body = rows.map(({ key, value, origin }) => {
    const [keyCell, valueCell] = cells(key, value);
    return origin.kind === "default"
      ? [keyCell, valueCell, style.dim(shownOrigin(origin))]
      : [keyCell, style.bold(valueCell), style.green(printable(shownOrigin(origin)))];
  });
  return `${[heading, ...body].map((line) => line.join(GAP)).join("\n")}\n`;
}

function shownValue(key: string, value: unknown): string {
  if (value === undefined) return UNSET[key] ?? "(not set)";
  if (value === "" || (Array.isArray(value) && value.length === 0)) return "(none)";
  if (Array.isArray(value)) return printable(value.join(", "));
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

function shownOrigin(origin: Origin): string {
  if (origin.kind === "default") return "default";
  if (origin.kind === "environment") return `${origin.variable} (environment)`;
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}
