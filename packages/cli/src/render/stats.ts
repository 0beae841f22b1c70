import type { UsageSummary } from "#usage";
import { type Column, cutToColumns, fitLines, fitScreen, renderTable, sparkline, wrap } from "./layout.ts";
import { type Look, printable, type Style } from "./text.ts";

const MOST_ROWS = 10;
const MOST_COMMENTS = 3;
const WIDEST_SPARKLINE = 30;
const USUAL_WIDTH = 100;
const SEE_ALL = "--all shows all.";
/** Columns where nothing is cut: the history has no longer queries. */
const WIDEST_NAME = 200;

type StatsRow = readonly (string | number)[];

/** What `stats` prints for people: as much as fits a screen, or with `all` everything. Sparklines are for a terminal. */
export function renderStats(summary: UsageSummary, look: Look, { all = false } = {}): string {
  const everything = Number.POSITIVE_INFINITY;
  return all
    ? renderWith(summary, look, everything)
    : fitScreen((most) => renderWith(summary, look, Math.min(most, MOST_ROWS)));
}

/** `most`: how many rows a table has. */
function renderWith(summary: UsageSummary, { width, style }: Look, most: number): string {
  const isTerminal = width !== undefined;
  const {
    totals,
    mostUsed,
    neverUsed,
    readByAgents,
    suggestions,
    noMatch,
    ambiguous,
    feedback,
    scripts,
    days,
  } = summary;
  const unmatched = (kind: "search" | "name") => noMatch.filter((one) => one.kind === kind);
  const served = days.map((day) => day.served);
  const table = <T>(titles: readonly string[], items: readonly T[], rowOf: (item: T) => StatsRow) =>
    renderRows(titles, items.map(rowOf), { width, style }, most);
  const sections = [
    [
      `${style.bold(summary.scope === "fleet" ? "Usage of all replicas" : "Usage")} from ${summary.since} to ${summary.until} ${style.dim("(UTC)")}`,
      ...(isTerminal ? [style.cyan(sparkline(served, Math.min(60, width)))] : []),
      totalsLine(totals, style),
      ...funnelLine(summary.funnel, style),
    ],
    table(
      ["MOST USED", "COUNT", ...(isTerminal ? ["PER DAY"] : [])],
      mostUsed,
      ({ skill, count, perDay }) => {
        return [skill, count, ...(isTerminal ? [sparkline(perDay, WIDEST_SPARKLINE)] : [])];
      },
    ),
    suggestionTable(suggestions, table),
    nameLines("NEVER USED", neverUsed, { width, style }, most),
    nameLines("READ BY AN AGENT ITSELF, USE NOT KNOWN", readByAgents, { width, style }, most),
    groupTable("CLIENT", summary.clients, table),
    groupTable("CALLER", summary.callers, table),
    table(["SEARCHES WITH NO MATCH", "COUNT"], unmatched("search"), ({ query, count }) => [query, count]),
    table(["UNKNOWN NAMES", "COUNT"], unmatched("name"), ({ query, count }) => [query, count]),
    table(["AMBIGUOUS SEARCHES", "COUNT"], ambiguous, ({ query, count }) => [query, count]),
    [
      ...table(["FEEDBACK", "USEFUL", "NOT USEFUL"], feedback, ({ skill, useful, notUseful }) => {
        return [skill, useful, notUseful];
      }),
      ...commentLines(summary, { width, style }, most),
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

type RenderTable = <T>(
  titles: readonly string[],
  items: readonly T[],
  rowOf: (item: T) => StatsRow,
) => readonly string[];

/** From a hook's suggestion to the load. The last column is only there where agents have skills of their own. */
function suggestionTable(suggestions: UsageSummary["suggestions"], table: RenderTable): readonly string[] {
  const hasNative = suggestions.some(({ native }) => native > 0);
  const titles = ["SUGGESTED", "COUNT", "LOADED", "IGNORED", ...(hasNative ? ["NOT SEEN"] : [])];
  return table(titles, suggestions, ({ skill, suggested, loaded, ignored, native }) => [
    ...[skill, suggested, loaded, ignored],
    ...(hasNative ? [native] : []),
  ]);
}

/** Who used what how often. */
function groupTable(
  title: "CLIENT" | "CALLER",
  groups: UsageSummary["callers"],
  table: RenderTable,
): readonly string[] {
  return table([title, "SEARCHED", "LOADED", "SCRIPTS", "NO MATCH"], groups, (group) => {
    const { name, searched, loaded, scripts, noMatch } = group;
    return [name, searched, loaded, scripts, noMatch];
  });
}

/** From a suggestion to a script; nothing where agents neither get suggestions nor search. */
function funnelLine({ suggested, searched, loaded, scripts }: UsageSummary["funnel"], style: Style) {
  if (suggested + searched === 0) return [];
  const steps = [`suggested ${suggested}`, `searched ${searched}`, `loaded ${loaded}`, `scripts ${scripts}`];
  return [style.dim(steps.join(" → "))];
}

/** What `stats` prints when there is nothing to show, and how to change that. */
export function renderNoStats({ since, scope }: UsageSummary, { width, style }: Look, ours: string): string {
  if (scope === "fleet")
    return `No replica has served a skill since ${since}.
`;
  const text = `No skill has been used since ${since}.

Connect an agent, let it use a skill, and run stats again:

  ${style.bold(`${ours} connect`)}
  ${style.bold(`${ours} stats`)}

For older usage: ${ours} stats --since 365d

Usage is recorded on this machine only, in ~/.skills-mcp/usage/. To turn that off, set history: false under analytics: in
~/.skills-mcp/config.yaml.
`;
  return fitLines(text, width);
}

function totalsLine(totals: UsageSummary["totals"], style: Style): string {
  const counts: readonly (readonly [number, string, string])[] = [
    [totals.served, "load", "loads"],
    [totals.suggested, "suggestion", "suggestions"],
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

/** Names side by side, because there may be hundreds. */
function nameLines(
  title: string,
  names: readonly string[],
  { width = USUAL_WIDTH, style }: Look,
  most: number,
): readonly string[] {
  if (names.length === 0) return [];
  const lines = wrap(names.map(printable).join(", "), width);
  const shown = lines.slice(0, Math.max(1, Math.ceil(most / 3)));
  const isCut = shown.length < lines.length;
  const named = isCut ? `${shown.join("\n").replace(/,$/, "")}, …` : shown.join("\n");
  return [style.dim(`${title} (${names.length})`), named, ...(isCut ? [style.dim(SEE_ALL)] : [])];
}

/** A table of names and numbers; nothing when it is empty. */
function renderRows(
  titles: readonly string[],
  rows: readonly StatsRow[],
  { width, style }: Look,
  most: number,
): readonly string[] {
  if (rows.length === 0) return [];
  const columns = titles.map((title, index): Column => {
    // People copy names, so only texts of searches are cut.
    const whole = !title.includes("SEARCHES");
    if (index === 0) return { title, most: width === undefined ? WIDEST_NAME : 48, least: 16, whole };
    return title === "PER DAY" ? { title, optional: true } : { title, align: "right" };
  });
  const shown = rows.slice(0, most);
  const more = rows.length - shown.length;
  const cells = shown.map((row) => row.map((cell) => printable(String(cell))));
  return [
    ...renderTable(columns, cells, width, style.dim),
    ...(more > 0 ? [style.dim(`… and ${more} more; ${SEE_ALL}`)] : []),
  ];
}

/** The newest comments first. */
function commentLines({ feedback }: UsageSummary, { width, style }: Look, most: number): readonly string[] {
  const all = feedback.flatMap(({ skill, comments }) => comments.map((comment) => ({ skill, ...comment })));
  const newest = all.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
  const shown = most === Number.POSITIVE_INFINITY ? newest : newest.slice(0, MOST_COMMENTS);
  return shown.map(({ skill, useful, day, text }) => {
    const mark = useful ? style.green("+") : style.red("-");
    const comment = printable(`${skill}: ${text}`);
    const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(20, width - day.length - 4);
    return `${mark} ${style.dim(printable(day))} ${cutToColumns(comment, room)}`;
  });
}
