import { columnsOf, cutToColumns, padToColumns, printable } from "./columns.ts";
import type { Style } from "./style.ts";

/** A longer name is cut on a terminal, so that descriptions keep some room. */
const WIDEST_NAME = 40;
const GAP = "  ";
const NARROWEST_DESCRIPTION = 20;

/** What a line shows of a skill of any kind. */
export interface SkillRow {
  /** What loads it. */
  readonly name: string;
  readonly provider: string;
  readonly location: string;
  readonly description: string;
}

/** The table that `list` prints. Without a width nothing is cut. */
export function renderSkillTable(
  skills: readonly SkillRow[],
  width: number | undefined,
  style: Style,
): string {
  const others = ["provider", "location"] as const;
  const fixed = others.reduce(
    (sum, key) => sum + Math.max(key.length, widest(skills.map((skill) => skill[key]))),
    3 * GAP.length,
  );
  const nameRoom = Math.min(WIDEST_NAME, Math.max(8, (width ?? 0) - fixed - NARROWEST_DESCRIPTION));
  const rows = skills.map(({ name, provider, location, description }) => [
    width === undefined ? printable(name) : cutToColumns(printable(name), nameRoom),
    provider,
    location,
    printable(description),
  ]);
  const header = ["NAME", "PROVIDER", "LOCATION", "DESCRIPTION"];
  const widths = [0, 1, 2].map((column) => widest([header, ...rows].map((row) => row[column] ?? "")));
  const taken = widths.reduce((sum, columns) => sum + columns + GAP.length, 0);
  const room = width === undefined ? undefined : Math.max(NARROWEST_DESCRIPTION, width - taken);
  const line = (
    [name = "", provider = "", location = "", description = ""]: readonly string[],
    paint: Painter,
  ) => {
    const cells = [name, provider, location].map((cell, column) => padToColumns(cell, widths[column] ?? 0));
    const last = room === undefined ? description : cutToColumns(description, room);
    return paint(cells, last).join(GAP).trimEnd();
  };
  const heading = line(header, (cells, last) => [...cells, last].map(style.dim));
  const body = rows.map((row) =>
    line(row, ([name = "", ...others], last) => [style.bold(name), ...others.map(style.dim), last]),
  );
  return [heading, ...body].join("\n");
}

type Painter = (cells: readonly string[], last: string) => readonly string[];

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}
