import { type Config, shownConfig } from "#config";
import { renderTable } from "./layout.ts";
import { printable, type Style } from "./text.ts";

/** What `config --json` prints: a value that is not set is null. */
export function configJson(config: Config) {
  const shown = JSON.stringify(shownConfig(config).values, (_, value: unknown) => value ?? null);
  return { values: JSON.parse(shown) as unknown, origins: Object.fromEntries(config.origins) };
}

/** What `config` prints for people: a table of key, value and source. */
export function renderConfig(config: Config, style: Style): string {
  const { settings } = shownConfig(config);
  const paint = (usual: (cell: string) => string, other: (cell: string) => string) => ({
    paint: (cell: string, row: number) => (settings[row]?.isDefault === true ? usual(cell) : other(cell)),
  });
  const columns = [
    { title: "KEY" },
    { title: "VALUE", most: 40, ...paint(String, style.bold) },
    { title: "SOURCE", ...paint(style.dim, style.green) },
  ];
  const cells = settings.map(({ key, value, source }) => [key, value, source].map(printable));
  return `${renderTable(columns, cells, undefined, style.dim).join("\n")}\n`;
}
