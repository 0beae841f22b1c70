import type { Config, Origin } from "#config";
import { keyPath, leavesOf, withoutValue } from "#config";
import { withoutPassword } from "#fleet";
import { renderTable } from "./layout.ts";
import { printable, type Style } from "./text.ts";

const WIDEST_VALUE = 40;

/** Shown for an unset setting whose default is not a single value. */
const UNSET: Readonly<Record<string, string>> = {
  "scripts.sandbox": "preferred (required over HTTP)",
  "server.description_budget": "(by client)",
  "server.instructions_budget": "(by client)",
  "server.tools": "(by command)",
};

/** What `config --json` prints: a value that is not set is null, and headers have names alone. */
export function configJson({ values, origins }: Config) {
  const headers = values.analytics.headers.map(withoutValue);
  const shown = { ...values, analytics: { ...values.analytics, headers } };
  return {
    values: JSON.parse(
      JSON.stringify(shown, (key, value: unknown) => withoutSecret(key, value) ?? null),
    ) as unknown,
    origins: Object.fromEntries(origins),
  };
}

/** What `config` prints for people: a table of key, value and source. */
export function renderConfig({ values, origins }: Config, style: Style): string {
  const rows = leavesOf(values).map(({ parts, value }) => {
    const key = keyPath(parts);
    return {
      key,
      value: shownValue(key, withoutSecret(parts.at(-1), value)),
      source: shownSource(origins.get(key)),
    };
  });
  const isDefault = (row: number): boolean => rows[row]?.source === "default";
  const columns = [
    { title: "KEY" },
    {
      title: "VALUE",
      most: WIDEST_VALUE,
      paint: (cell: string, row: number) => (isDefault(row) ? cell : style.bold(cell)),
    },
    {
      title: "SOURCE",
      paint: (cell: string, row: number) => (isDefault(row) ? style.dim(cell) : style.green(cell)),
    },
  ];
  const cells = rows.map(({ key, value, source }) => [key, value, source].map(printable));
  return `${renderTable(columns, cells, undefined, style.dim).join("\n")}\n`;
}

/** The address of Redis may have a password. */
function withoutSecret(key: string | undefined, value: unknown): unknown {
  return key === "redis" && typeof value === "string" ? withoutPassword(value) : value;
}

function shownValue(key: string, value: unknown): string {
  if (value === undefined) return UNSET[key] ?? "(not set)";
  if (key === "server.tools" && Array.isArray(value) && value.length === 0) return UNSET[key] ?? "";
  if (value === "" || (Array.isArray(value) && value.length === 0)) return "(none)";
  if (Array.isArray(value))
    return (key === "analytics.headers" ? value.map((header) => withoutValue(String(header))) : value).join(
      ", ",
    );
  return typeof value === "string" ? value : JSON.stringify(value);
}

function shownSource(origin: Origin = { kind: "default" }): string {
  if (origin.kind === "default") return "default";
  if (origin.kind === "environment") return `${origin.variable} (environment)`;
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}
