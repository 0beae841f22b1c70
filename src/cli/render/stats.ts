import type { UsageSummary } from "../../app/usage/usage-stats.ts";
import { columnsOf, cutToColumns, padToColumns, printable } from "./columns.ts";
import { sparkline } from "./sparkline.ts";
import type { Style } from "./style.ts";

const MOST_ROWS = 10;
const MOST_COMMENTS = 3;
const WIDEST_SPARKLINE = 30;
const WIDEST_NAME = 48;
const NARROWEST_NAME = 12;
const GAP = "  ";

/** What `stats` prints for people. Sparklines and cuts are for a terminal; elsewhere nothing is lost. */
export function renderStats(summary: UsageSummary, width: number | undefined, style: Style): string {
  const isTerminal = width !== undefined;
  const rows = isTerminal ? MOST_ROWS : Number.POSITIVE_INFINITY;
  const table = (heading: readonly string[], all: readonly (readonly string[])[]): readonly string[] => {
    const shown = all.slice(0, rows);
    const more = all.length - shown.length;
    return renderTable(heading, shown, width, style).concat(
      more > 0 ? [style.dim(`… and ${more} more; --json shows them.`)] : [],
    );
  };
  const { totals, mostUsed, neverUsed, noMatch, ambiguous, feedback, scripts, days } = summary;
  const served = days.map((day) => day.served);
  const sections = [
    [
      `${style.bold("Usage")} from ${summary.since} to ${summary.until} ${style.dim("(UTC)")}`,
      ...(isTerminal ? [style.cyan(sparkline(served, Math.min(60, width)))] : []),
      totalsLine(totals, style),
    ],
    section(
      mostUsed,
      table(
        ["MOST USED", "TIMES", ...(isTerminal ? ["PER DAY"] : [])],
        mostUsed.map(({ skill, count, perDay }) => [
          skill,
          String(count),
          ...(isTerminal ? [sparkline(perDay, WIDEST_SPARKLINE)] : []),
        ]),
      ),
    ),
    section(
      neverUsed,
      table(
        [`NEVER USED (${neverUsed.length})`],
        neverUsed.map((skill) => [skill]),
      ),
    ),
    section(
      noMatch,
      table(
        ["NO SKILL WAS FOUND FOR", "TIMES"],
        noMatch.map(({ query, count }) => [query, String(count)]),
      ),
    ),
    section(
      ambiguous,
      table(
        ["SEVERAL SKILLS MATCHED", "TIMES"],
        ambiguous.map(({ query, count }) => [query, String(count)]),
      ),
    ),
    section(feedback, [
      ...table(
        ["FEEDBACK", "USEFUL", "NOT USEFUL"],
        feedback.map(({ skill, useful, notUseful }) => [skill, String(useful), String(notUseful)]),
      ),
      ...commentLines(summary, isTerminal ? MOST_COMMENTS : rows, width, style),
    ]),
    section(
      scripts,
      table(
        ["SCRIPT", "RUNS", "FAILED", "HALF WITHIN"],
        scripts.map(({ skill, file, runs, failures, p50Ms }) => [
          `${skill} ${file}`,
          String(runs),
          String(failures),
          p50Ms === undefined ? "" : `${Math.round(p50Ms)} ms`,
        ]),
      ),
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** What `stats` prints when there is nothing to show: what to do so that there is. */
export function renderNoStats({ since }: UsageSummary, style: Style): string {
  return `Nothing has been used since ${since}.

Connect an agent, let it use a skill, and look again:

  ${style.bold("claude mcp add skills -- npx -y skills-mcp")}
  ${style.bold("skills-mcp stats")}

What agents use is counted in ~/.skills-mcp/usage/, on this machine only. To turn that off, set history: false under
analytics: in ~/.skills-mcp/config.yaml. To look further back: skills-mcp stats --since 365d
`;
}

function totalsLine(totals: UsageSummary["totals"], style: Style): string {
  const counts: readonly (readonly [number, string, string])[] = [
    [totals.served, "skill served", "skills served"],
    [totals.assets, "asset", "assets"],
    [totals.scripts, "script run", "script runs"],
    [totals.noMatch, "search without a match", "searches without a match"],
    [totals.ambiguous, "ambiguous search", "ambiguous searches"],
    [totals.errors, "error", "errors"],
  ];
  return counts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, one, many]) => {
      const text = `${count} ${count === 1 ? one : many}`;
      return many === "errors" ? style.red(text) : text;
    })
    .join(" · ");
}

function section(items: readonly unknown[], lines: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : lines;
}

/** Names on the left, numbers on the right of their columns; the rest as it is. */
function renderTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
  style: Style,
): string[] {
  const others = heading
    .slice(1)
    .map((title, index) => widest([title, ...rows.map((row) => row[index + 1])]));
  const taken = others.reduce((sum, columns) => sum + GAP.length + columns, 0);
  const room =
    width === undefined
      ? Number.POSITIVE_INFINITY
      : Math.min(WIDEST_NAME, Math.max(NARROWEST_NAME, width - taken));
  const names = rows.map(([name = ""]) => cutToColumns(printable(name), room));
  const widths = [widest([heading[0], ...names]), ...others];
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const columns = widths[column] ?? 0;
        return /^\d+( ms)?$/.test(cell) && column > 0
          ? " ".repeat(columns - columnsOf(cell)) + cell
          : padToColumns(cell, columns);
      })
      .join(GAP)
      .trimEnd();
  return [style.dim(line(heading)), ...rows.map((row, index) => line([names[index] ?? "", ...row.slice(1)]))];
}

function widest(cells: readonly (string | undefined)[]): number {
  return cells.reduce((most, cell = "") => Math.max(most, columnsOf(cell)), 0);
}

function commentLines(
  { feedback }: UsageSummary,
  most: number,
  width: number | undefined,
  style: Style,
): readonly string[] {
  const all = feedback.flatMap(({ skill, comments }) => comments.map((comment) => ({ skill, ...comment })));
  const newest = all.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0)).slice(0, most);
  return newest.map(({ skill, useful, day, text }) => {
    const mark = useful ? style.green("+") : style.red("-");
    const said = printable(`${skill}: ${text}`);
    const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(20, width - day.length - 4);
    return `${mark} ${style.dim(printable(day))} ${cutToColumns(said, room)}`;
  });
}
