import { columnsOf, cutToColumns, padToColumns, printable } from "./columns.ts";
import type { Style } from "./style.ts";

/** A longer name is cut on a terminal, so that descriptions keep some room; elsewhere its line runs over. */
const WIDEST_NAME = 40;
const NARROWEST_NAME = 8;
const GAP = "  ";
const NARROWEST_DESCRIPTION = 20;
const OTHERS = ["provider", "location"] as const;

/** What a line shows of a skill of any kind. */
export interface SkillRow {
  /** What loads it. */
  readonly name: string;
  readonly provider: string;
  readonly location: string;
  readonly description: string;
}

/**
 * The table that `list` prints. Without a width nothing is cut. A terminal too narrow for all columns gets names and
 * descriptions alone.
 */
export function renderSkillTable(
  skills: readonly SkillRow[],
  width: number | undefined,
  style: Style,
): string {
  const least = NARROWEST_NAME + GAP.length + NARROWEST_DESCRIPTION;
  const wanted = OTHERS.map((key) => widest([key, ...skills.map((skill) => skill[key])]) + GAP.length);
  const shown = width === undefined || width >= least + sum(wanted) ? OTHERS : [];
  const fixed = sum(wanted.slice(0, shown.length)) + GAP.length;
  const nameRoom =
    width === undefined
      ? Number.POSITIVE_INFINITY
      : Math.min(WIDEST_NAME, width, Math.max(NARROWEST_NAME, width - fixed - NARROWEST_DESCRIPTION));
  const header = ["NAME", ...shown.map((key) => key.toUpperCase()), "DESCRIPTION"];
  const rows = [
    header,
    ...skills.map((skill) => [
      printable(skill.name),
      ...shown.map((key) => skill[key]),
      printable(skill.description),
    ]),
  ].map(([name = "", ...others]) => [cutToColumns(name, nameRoom), ...others]);
  const widths = header
    .slice(0, -1)
    .map((_, column) => widest(rows.map((row) => row[column] ?? "")))
    .map((columns) => Math.min(WIDEST_NAME, columns));
  const room =
    width === undefined ? Number.POSITIVE_INFINITY : width - sum(widths) - widths.length * GAP.length;
  const line = (row: readonly string[], paint: Painter): string => {
    const cells = row.slice(0, -1).map((cell, column) => padToColumns(cell, widths[column] ?? 0));
    const last = room < 1 ? [] : [cutToColumns(row.at(-1) ?? "", room)];
    return [...cells, ...last].map(paint).join(GAP).trimEnd();
  };
  const ofSkill: Painter = (cell, column) => {
    if (column === 0) return style.bold(cell);
    return column < widths.length ? style.dim(cell) : cell;
  };
  const [heading = [], ...body] = rows;
  return [line(heading, style.dim), ...body.map((row) => line(row, ofSkill))].join("\n");
}

type Painter = (cell: string, column: number) => string;

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
