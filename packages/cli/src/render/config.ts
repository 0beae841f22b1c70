import type { Config, Origin } from "#config";
import { shownSettings, withoutSecrets } from "#config";
import { renderTable } from "./layout.ts";
import { printable, type Style } from "./text.ts";

const WIDEST_VALUE = 40;

/** What `config --json` prints: a value that is not set is null. */
export function configJson({ values, origins }: Config) {
  const shown = JSON.stringify(withoutSecrets(values), (_, value: unknown) => value ?? null);
  return { values: JSON.parse(shown) as unknown, origins: Object.fromEntries(origins) };
}

/** What `config` prints for people: a table of key, value and source. */
export function renderConfig(config: Config, style: Style): string {
  const rows = shownSettings(config);
  const isDefault = (row: number): boolean => rows[row]?.origin.kind === "default";
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
  const cells = rows.map(({ key, value, origin }) => [key, value, shownSource(origin)].map(printable));
  return `${renderTable(columns, cells, undefined, style.dim).join("\n")}\n`;
}

function shownSource(origin: Origin): string {
  if (origin.kind === "default") return "default";
  if (origin.kind === "environment") return `${origin.variable} (environment)`;
  return origin.line === undefined ? origin.file : `${origin.file}:${origin.line}`;
}
