import { type Config, type MachinePolicy, shownConfig } from "#config";
import { renderTable } from "./layout.ts";
import { count, printable, type Style } from "./text.ts";

/** What `config --json` prints: a value that is not set is null. */
export function configJson(config: Config) {
  const shown = JSON.stringify(shownConfig(config).values, (_, value: unknown) => value ?? null);
  return { values: JSON.parse(shown) as unknown, origins: Object.fromEntries(config.origins) };
}

/** What `config` prints for people: a table of key, value and source, of every setting or of those that somebody set. */
export function renderConfig(config: Config, style: Style, { all = true } = {}): string {
  const every = shownConfig(config).settings;
  const settings = all ? every : every.filter(({ isDefault }) => !isDefault);
  const others = every.length - settings.length;
  const rest = `${count(others, "setting")} ${others === 1 ? "has its" : "have their"} default; to list all, run: skills-mcp config --all\n`;
  if (settings.length === 0)
    return `Every setting has its default. To list them, run: skills-mcp config --all\n`;
  const paint = (usual: (cell: string) => string, other: (cell: string) => string) => ({
    paint: (cell: string, row: number) => (settings[row]?.isDefault === true ? usual(cell) : other(cell)),
  });
  const columns = [
    { title: "KEY" },
    { title: "VALUE", most: 40, ...paint(String, style.bold) },
    { title: "SOURCE", ...paint(style.dim, style.green) },
  ];
  const cells = settings.map(({ key, value, source }) => [key, value, source].map(printable));
  return `${renderTable(columns, cells, undefined, style.dim).join("\n")}\n${others === 0 ? "" : `\n${rest}`}`;
}

/** Where the administrator limits what users and projects may choose, and what. */
export function policyLine({ file, limits }: Pick<MachinePolicy, "file" | "limits">): string {
  return `Policy of this machine, which no setting opens: ${file} (${limits.join(", ")})`;
}
