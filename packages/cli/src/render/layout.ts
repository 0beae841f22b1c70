import { eastAsianWidth } from "get-east-asian-width";

const GAP = "  ";
const NARROWEST_MEANING = 40;
const PLAIN = /^[ -~]*$/;
const ESCAPE = "\u001B";
/** What turns a colour on or off. */
const ANSI = `${ESCAPE}\\[[\\d;]*m`;
const ZERO_WIDTH = /\p{Mn}|\p{Me}|\u200D|\uFE0F/u;

/**
 * How many columns of a terminal a text takes. Not with string-width: it needs 10 ms to load and 20 more for the
 * first text that is not ASCII, because it makes an `Intl.Segmenter` and a pattern of all emoji.
 */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += characterColumns(character);
  return columns;
}

/** How many columns a text with colours takes. */
function visibleColumns(text: string): number {
  return columnsOf(text.includes(ESCAPE) ? text.replace(new RegExp(ANSI, "g"), "") : text);
}

function characterColumns(character: string): number {
  return ZERO_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Text that takes at most `columns`, ending in `…` where it had to be cut. */
export function cutToColumns(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let cut = "";
  let used = 0;
  for (const character of text) {
    used += characterColumns(character);
    if (used > columns - 1) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** Text filled up with spaces to `columns`. */
export function padToColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Breaks text into lines of at most `width` columns, at spaces. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && visibleColumns(line) + 1 + visibleColumns(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** How far the text of a line is indented below its label, such as `  Skills        300`, if that is not too far. */
function indentOf(line: string, width: number): { readonly label: string; readonly columns: number } {
  const [label = ""] = LABEL.exec(line) ?? [];
  const columns = visibleColumns(label);
  if (label !== "" && columns <= width / 2) return { label, columns };
  const [spaces = ""] = /^ */.exec(line) ?? [];
  // A sentence goes on at the margin, an item of a list below its text.
  const hanging = spaces === "" ? 0 : spaces.length + GAP.length;
  return { label: spaces, columns: Math.min(hanging, Math.floor(width / 2)) };
}

/** A line up to its first gap of two spaces and more. */
const LABEL = new RegExp(`^ *\\S.*? {2}(?:${ANSI}| )*`);

/** A text whose lines fit a terminal: what is too long goes on in the next line, below its beginning. Words stay whole. */
export function fitLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  const fitLine = (line: string): string => {
    if (visibleColumns(line) <= width) return line;
    const { label, columns } = indentOf(line, width);
    const room = width - columns;
    const [first = "", ...others] = wrap(line.slice(label.length), Math.max(room, 1));
    return [`${label}${first}`, ...others.map((part) => " ".repeat(columns) + part)].join("\n");
  };
  return text.split("\n").map(fitLine).join("\n");
}

/** A titled list; nothing when it is empty. */
export function section<T>(
  title: string,
  items: readonly T[],
  lineOf: (item: T) => string,
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  if (items.length === 0) return [];
  // A line that counts one item would take the place of that item.
  const shown = items.length <= most + 1 ? items : items.slice(0, most);
  const more = items.length - shown.length;
  return [
    "",
    `${title}:`,
    ...shown.map((item) => `  ${lineOf(item)}`),
    ...(more === 0 ? [] : [`  … and ${more} more`]),
  ];
}

const SCREEN_LINES = 40;

/** The text with as much of each list as fits a screen. `render` gets how many items of a list it may show. */
export function fitScreen(render: (most: number) => string): string {
  for (const most of [Number.POSITIVE_INFINITY, 10, 6, 4, 3]) {
    const text = render(most);
    if (text.split("\n").length <= SCREEN_LINES) return text;
  }
  return render(2);
}

export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** The column is no wider than this. Without a terminal, a longer cell runs over in its own line. */
  readonly most?: number;
  /** On a terminal that is too narrow, cells are cut to no less than this. Other columns are never cut. */
  readonly least?: number;
  /** Never cut: on a terminal, a cell of the first column that is too wide has a line of its own. */
  readonly whole?: boolean;
  /** The column is left out where not everything fits. */
  readonly optional?: boolean;
  readonly paint?: (cell: string, row: number) => string;
}

/** The lines of a table that fits `width`; without one nothing is cut. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
  paintTitle: (cell: string) => string,
): readonly string[] {
  const natural = columns.map(({ title, most = Number.POSITIVE_INFINITY }, index) =>
    Math.min(most, widest([title, ...rows.map((row) => row[index] ?? "")])),
  );
  const widths = width === undefined ? natural : fitWidths(columns, natural, width);
  const lastShown = widths.findLastIndex((columnWidth) => columnWidth > 0);
  const line = (cells: readonly string[], paint: (cell: string, column: number) => string): string =>
    cells
      .flatMap((cell, index) => {
        const columnWidth = widths[index] ?? 0;
        if (columnWidth === 0) return [];
        const { align, least } = columns[index] ?? {};
        const text = width !== undefined && least !== undefined ? cutToColumns(cell, columnWidth) : cell;
        const gap = " ".repeat(Math.max(0, columnWidth - columnsOf(text)));
        if (align === "right") return [gap + paint(text, index)];
        return [paint(text, index) + (index === lastShown ? "" : gap)];
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(({ title }) => title);
  const linesOf = (row: readonly string[], number: number): readonly string[] => {
    const paint = (cell: string, index: number): string => columns[index]?.paint?.(cell, number) ?? cell;
    const [first = "", ...others] = row;
    const isTooWide = width !== undefined && columnsOf(first) > (widths[0] ?? 0);
    if (columns[0]?.whole !== true || !isTooWide) return [line(row, paint)];
    return [paint(first, 0), line(["", ...others], paint)];
  };
  return [line(titles, paintTitle), ...rows.flatMap(linesOf)];
}

/** The width of each column; 0 leaves one out. What is missing comes from the last columns first. */
function fitWidths(columns: readonly Column[], natural: readonly number[], width: number): readonly number[] {
  const least = natural.map((most, index) => Math.min(most, columns[index]?.least ?? most));
  const fitsAll = tableWidth(least) <= width;
  const widths = natural.map((most, index) => (fitsAll || columns[index]?.optional !== true ? most : 0));
  const shrink = (leastOf: (index: number) => number): void => {
    for (let index = widths.length - 1; index >= 0; index--) {
      const excess = tableWidth(widths) - width;
      const now = widths[index] ?? 0;
      if (excess > 0) widths[index] = Math.max(Math.min(now, leastOf(index)), now - excess);
    }
  };
  shrink((index) => least[index] ?? 0);
  // Too narrow even for that: the first columns stay.
  shrink((index) => (index === 0 ? 1 : columns[index]?.least === undefined ? (least[index] ?? 0) : 0));
  return widths;
}

function tableWidth(widths: readonly number[]): number {
  const shown = widths.filter((columnWidth) => columnWidth > 0);
  return shown.reduce((sum, columnWidth) => sum + columnWidth + GAP.length, -GAP.length);
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, columnsOf(cell)), 0);
}

/** Terms and what they mean, side by side; below each other on a narrow terminal. */
export function renderDefinitions(
  rows: readonly (readonly [term: string, meaning: string])[],
  width: number | undefined,
  paint: (meaning: string) => string,
): readonly string[] {
  const termColumns = widest(rows.map(([term]) => term));
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - termColumns - 2 * GAP.length;
  if (room < NARROWEST_MEANING) {
    const narrow = (width ?? 0) - 3 * GAP.length;
    return rows.flatMap(([term, meaning]) => [
      `${GAP}${term}`,
      ...wrap(meaning, narrow).map((text) => `${GAP.repeat(3)}${paint(text)}`),
    ]);
  }
  return rows.flatMap(([term, meaning]) =>
    wrap(meaning, room).map(
      (text, index) => `${GAP}${padToColumns(index === 0 ? term : "", termColumns)}${GAP}${paint(text)}`,
    ),
  );
}

const BARS = "▁▂▃▄▅▆▇█";

/** One bar a day, or one for several days if there are more days than columns. A day without events is a dot. */
export function sparkline(values: readonly number[], columns: number): string {
  const perBar = Math.max(1, Math.ceil(values.length / Math.max(1, columns)));
  const sums: number[] = [];
  for (const [index, value] of values.entries()) {
    const bar = Math.floor(index / perBar);
    sums[bar] = (sums[bar] ?? 0) + value;
  }
  const most = Math.max(1, ...sums);
  return sums
    .map((sum) => (sum === 0 ? "·" : (BARS[Math.ceil((sum / most) * BARS.length) - 1] ?? "")))
    .join("");
}
