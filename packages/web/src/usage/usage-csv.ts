import type { UsageAnswer } from "#server/wire";

type CountedUsage = Pick<UsageAnswer, "days" | "mostUsed">;

/** One row for each day, with the loads of each skill in a column of its own. */
export function usageCsv({ days, mostUsed }: CountedUsage): string {
  const head = ["day", "loads", "unmatched_searches", ...mostUsed.map(({ skill }) => skill)];
  const rows = days.map(({ day, served, noMatch }, index) => [
    ...[day, served, noMatch],
    ...mostUsed.map(({ perDay }) => perDay[index] ?? 0),
  ]);
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A spreadsheet runs what starts with these. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
