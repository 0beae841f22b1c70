import { figure } from "../measure.ts";
import { withUnit } from "./print.ts";
import type { PeerResult, Results } from "./results.ts";
import { type BenchRow, isWithinLimit, limitText } from "./row.ts";

/** All results as Markdown. */
export function resultsMarkdown(results: Results): string {
  const { rows, peers, version, node, cpu, cpus, load, date, rounds } = results;
  const sections = [...new Set(rows.map(({ section }) => section))];
  const limited = rows.filter((row) => isWithinLimit(row) !== undefined);
  const missed = limited.filter((row) => isWithinLimit(row) === false);
  const busy = load > cpus / 2 ? ", so the machine was busy and single results are rough" : "";
  return [
    `skills-mcp ${version}, Node ${node.slice(1)}, ${cpus} × ${cpu}, ${date.slice(0, 10)}, medians of ${rounds} rounds, load ${figure(load)} before the run${busy}. Each result is shown with its ratio to a baseline; ✓ and ✗ say whether it is within its limit.`,
    ...sections.map((section) =>
      sectionMarkdown(
        section,
        rows.filter((row) => row.section === section),
      ),
    ),
    ...(peers.length === 0 ? [] : [peersMarkdown(rows, peers)]),
    `### Missed limits\n\n${missedMarkdown(missed, limited.length)}`,
  ].join("\n\n");
}

function sectionMarkdown(section: string, rows: readonly BenchRow[]): string {
  const sized = rows.map((row) => ({ row, ...splitSize(row.name) }));
  const sizes = [...new Set(sized.flatMap(({ size }) => size ?? []))];
  if (sizes.length < 2 || sized.some(({ size }) => size === undefined)) {
    const lines = rows.map((row) => [
      row.name,
      withUnit(row.ours, row.unit),
      withUnit(row.floor, row.unit),
      `${figure(row.ratio)}×${mark(row)}`,
      limitText(row),
      row.floorName,
    ]);
    return `### ${section}\n\n${tableMarkdown(["", "skills-mcp", "baseline", "ratio", "limit", "what the baseline is"], lines)}`;
  }
  const titles = [...new Set(sized.map(({ rest, row }) => `${rest}\n${row.floorName}`))];
  const lines = titles.map((title) => {
    const [rest = "", floorName = ""] = title.split("\n");
    const cells = sizes.map((wanted) => {
      const found = sized.find(
        ({ row, size, ...one }) => size === wanted && one.rest === rest && row.floorName === floorName,
      );
      return found === undefined ? "–" : cell(found.row);
    });
    return [rest, ...cells, floorName];
  });
  return `### ${section}\n\n${tableMarkdown(["", ...sizes.map((size) => `${size} skills`), "what the baseline is"], lines)}`;
}

/** `ready, cold, 10,000 skills` is `ready, cold` at `10,000`. */
function splitSize(name: string): { readonly rest: string; readonly size: string | undefined } {
  const found = /^(.*), ([\d,]+) skills$/.exec(name);
  return { rest: found?.[1] ?? name, size: found?.[2] };
}

function cell(row: BenchRow): string {
  return `${withUnit(row.ours, row.unit)}, ${figure(row.ratio)}×${mark(row)}`;
}

function mark(row: BenchRow): string {
  const within = isWithinLimit(row);
  return within === undefined ? "" : within ? " ✓" : " ✗";
}

/** One line for each server and measurement; a cell is its figure and how many times ours it is. */
function peersMarkdown(rows: readonly BenchRow[], peers: readonly PeerResult[]): string {
  const known = new Map(rows.map((row) => [row.id, row]));
  const found = peers.flatMap(({ name, version, figures }) =>
    figures.flatMap(({ row: id, value }) => {
      const row = known.get(id);
      if (row === undefined) return [];
      const text = `${withUnit(value, row.unit)}, ${figure(value / row.ours)}×`;
      return [{ server: `${name} ${version}`, ...splitSize(row.name), text }];
    }),
  );
  const sizes = [...new Set(found.flatMap(({ size }) => size ?? []))];
  const titles = [...new Set(found.map(({ server, rest }) => `${server}\n${rest}`))];
  const lines = titles.map((title) => {
    const [server = "", rest = ""] = title.split("\n");
    const of = found.filter((one) => one.server === server && one.rest === rest);
    return [server, rest, ...sizes.map((size) => of.find((one) => one.size === size)?.text ?? "–")];
  });
  const problems = peers.flatMap(({ name, version, problems }) =>
    problems.map((problem) => `- ${`${name} ${version}`.trim()}: ${problem}`),
  );
  return [
    "### Other servers\n\nEach cell is the other server's result and its ratio to skills-mcp.",
    tableMarkdown(["server", "", ...sizes.map((size) => `${size} skills`)], lines),
    ...(problems.length === 0 ? [] : [problems.join("\n")]),
  ].join("\n\n");
}

function missedMarkdown(missed: readonly BenchRow[], limits: number): string {
  if (missed.length === 0) return `None of ${limits}.`;
  const lines = missed.map((row) => {
    const value = row.limitOf === "ours" ? withUnit(row.ours, row.unit) : `${figure(row.ratio)}×`;
    return `- ${row.section}, ${row.name}: ${value}; the limit is ${limitText(row)} (baseline: ${row.floorName}).`;
  });
  return [`${missed.length} of ${limits}:`, "", ...lines].join("\n");
}

function tableMarkdown(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}
