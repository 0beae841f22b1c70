import type { UsageSummary } from "../../app/usage/usage-stats.ts";
import { type Column, cutToColumns, renderTable, sparkline } from "./layout.ts";
import { printable, type Style } from "./text.ts";

const MOST_ROWS = 10;
const MOST_COMMENTS = 3;
const WIDEST_SPARKLINE = 30;
/** Where nothing is cut. The history has no longer queries. */
const WIDEST_NAME = 200;

type Row = readonly (string | number)[];

/** What `stats` prints for people. Sparklines and cuts are for a terminal; elsewhere nothing is left out. */
export function renderStats(summary: UsageSummary, width: number | undefined, style: Style): string {
  const isTerminal = width !== undefined;
  const { totals, mostUsed, neverUsed, noMatch, ambiguous, feedback, scripts, days } = summary;
  const served = days.map((day) => day.served);
  const table = <T>(titles: readonly string[], items: readonly T[], rowOf: (item: T) => Row) =>
    renderRows(titles, items.map(rowOf), width, style);
  const sections = [
    [
      `${style.bold("Usage")} from ${summary.since} to ${summary.until} ${style.dim("(UTC)")}`,
      ...(isTerminal ? [style.cyan(sparkline(served, Math.min(60, width)))] : []),
      totalsLine(totals, style),
    ],
    table(
      ["MOST USED", "COUNT", ...(isTerminal ? ["PER DAY"] : [])],
      mostUsed,
      ({ skill, count, perDay }) => {
        return [skill, count, ...(isTerminal ? [sparkline(perDay, WIDEST_SPARKLINE)] : [])];
      },
    ),
    table([`NEVER USED (${neverUsed.length})`], neverUsed, (skill) => [skill]),
    table(["SEARCHES WITH NO MATCH", "COUNT"], noMatch, ({ query, count }) => [query, count]),
    table(["AMBIGUOUS SEARCHES", "COUNT"], ambiguous, ({ query, count }) => [query, count]),
    [
      ...table(["FEEDBACK", "USEFUL", "NOT USEFUL"], feedback, ({ skill, useful, notUseful }) => {
        return [skill, useful, notUseful];
      }),
      ...commentLines(summary, width, style),
    ],
    table(["SCRIPT", "RUNS", "FAILED", "MEDIAN"], scripts, ({ skill, file, runs, failures, p50Ms }) => {
      return [`${skill} ${file}`, runs, failures, p50Ms === undefined ? "" : `${Math.round(p50Ms)} ms`];
    }),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/** What `stats` prints when there is nothing to show, and how to change that. */
export function renderNoStats({ since }: UsageSummary, style: Style): string {
  return `No skill has been used since ${since}.

Connect an agent, let it use a skill, and run stats again:

  ${style.bold("npx -y skills-mcp connect")}
  ${style.bold("skills-mcp stats")}

For older usage: skills-mcp stats --since 365d

Usage is recorded on this machine only, in ~/.skills-mcp/usage/. To turn that
off, set history: false under analytics: in ~/.skills-mcp/config.yaml.
`;
}

function totalsLine(totals: UsageSummary["totals"], style: Style): string {
  const counts: readonly (readonly [number, string, string])[] = [
    [totals.served, "skill served", "skills served"],
    [totals.assets, "asset", "assets"],
    [totals.scripts, "script run", "script runs"],
    [totals.noMatch, "search with no match", "searches with no match"],
    [totals.ambiguous, "ambiguous search", "ambiguous searches"],
    [totals.errors, "error", "errors"],
  ];
  return counts
    .filter(([number], index) => number > 0 || index === 0)
    .map(([number, one, many]) => {
      const text = `${number} ${number === 1 ? one : many}`;
      return many === "errors" ? style.red(text) : text;
    })
    .join(" · ");
}

/** A table of names and numbers; nothing when it is empty, and the first rows alone on a terminal. */
function renderRows(
  titles: readonly string[],
  rows: readonly Row[],
  width: number | undefined,
  style: Style,
): readonly string[] {
  if (rows.length === 0) return [];
  const columns = titles.map((title, index): Column => {
    if (index === 0) return { title, most: width === undefined ? WIDEST_NAME : 48, least: 12 };
    return title === "PER DAY" ? { title } : { title, align: "right" };
  });
  const shown = width === undefined ? rows : rows.slice(0, MOST_ROWS);
  const more = rows.length - shown.length;
  const cells = shown.map((row) => row.map((cell) => printable(String(cell))));
  return [
    ...renderTable(columns, cells, width, style.dim),
    ...(more > 0 ? [style.dim(`… and ${more} more; use --json to see all.`)] : []),
  ];
}

/** The newest comments first. */
function commentLines(
  { feedback }: UsageSummary,
  width: number | undefined,
  style: Style,
): readonly string[] {
  const all = feedback.flatMap(({ skill, comments }) => comments.map((comment) => ({ skill, ...comment })));
  const newest = all.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  return newest
    .slice(0, width === undefined ? all.length : MOST_COMMENTS)
    .map(({ skill, useful, day, text }) => {
      const mark = useful ? style.green("+") : style.red("-");
      const comment = printable(`${skill}: ${text}`);
      const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(20, width - day.length - 4);
      return `${mark} ${style.dim(printable(day))} ${cutToColumns(comment, room)}`;
    });
}
