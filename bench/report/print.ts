import { figure, type Row, table } from "../measure.ts";
import type { PeerResult } from "./results.ts";
import { type BenchRow, isWithinLimit, limitText } from "./row.ts";

/** Every row as plain text, by section, and what of our own limits is met. */
export function rowsText(rows: readonly BenchRow[]): string {
  const lines: Row[] = [];
  let section: string | undefined;
  for (const row of rows) {
    if (row.section !== section) lines.push({ heading: row.section });
    section = row.section;
    const within = isWithinLimit(row);
    lines.push([
      `${within === undefined ? " " : within ? "✓" : "✗"} ${row.name}`,
      withUnit(row.ours, row.unit),
      withUnit(row.floor, row.unit),
      `${figure(row.ratio)}×`,
      limitText(row),
      row.floorName,
    ]);
  }
  return table(["", "skills-mcp", "baseline", "ratio", "limit", "what the baseline is"], lines);
}

/** Each figure of the other servers beside ours of the same rounds. */
export function peersText(rows: readonly BenchRow[], peers: readonly PeerResult[]): string {
  const lines: Row[] = [];
  for (const { name, version, figures, problems } of peers) {
    lines.push({ heading: `${name} ${version}`.trim() });
    for (const { row: id, value } of figures) {
      const row = rows.find((candidate) => candidate.id === id);
      if (row === undefined) continue;
      lines.push([
        `  ${row.name}`,
        withUnit(value, row.unit),
        withUnit(row.ours, row.unit),
        `${figure(value / row.ours)}×`,
      ]);
    }
    for (const problem of problems) lines.push([`  ${problem}`]);
  }
  return table(["", "theirs", "skills-mcp", "ratio"], lines);
}

export function withUnit(value: number, unit: string): string {
  return `${figure(value)} ${unit}`;
}
