import { describe, expect, test } from "vitest";
import { startChart } from "../../bench/report/chart-svg.ts";
import { resultsMarkdown } from "../../bench/report/markdown.ts";
import { rowsText } from "../../bench/report/print.ts";
import type { PeerResult, Results } from "../../bench/report/results.ts";
import { type BenchRow, isWithinLimit, limitText, type RowStart, rowOf } from "../../bench/report/row.ts";

function row(id: string, name: string, ours: number, floor: number, more: Partial<RowStart> = {}): BenchRow {
  const samples = { ours: [ours], floor: [floor] };
  return rowOf("Start", { id, name, unit: "ms", floorName: "bare Node server", samples, ...more });
}

function results(rows: readonly BenchRow[], peers: readonly PeerResult[] = []): Results {
  const machine = {
    version: "1.2.3",
    node: "v20.20.2",
    cpu: "Processor",
    cpus: 2,
    load: 0.5,
    date: "2026-01-02T03:04:05.000Z",
  };
  return { format: 1, ...machine, rounds: 7, rows, peers };
}

const INIT = [
  row("start.init.cold.1000", "initialize, cold, 1,000 skills", 60, 40, { limit: 1.6 }),
  row("start.init.cold.10000", "initialize, cold, 10,000 skills", 80, 40, { limit: 1.6 }),
];
const PEER: PeerResult = {
  name: "@else/other <server>",
  version: "0.1.0",
  figures: [{ row: "start.init.cold.10000", value: 240, samples: [240] }],
  problems: [],
};

describe("a limit", () => {
  test.each([
    ["is about the ratio, at most", { limit: 2 }, true, "≤ 2×"],
    ["can be missed", { limit: 1.9 }, false, "≤ 1.9×"],
    ["can be about our own figure", { limit: 79, limitOf: "ours" }, false, "≤ 79 ms"],
    ["is the least where more is better", { limit: 1.9, moreIsBetter: true }, true, "≥ 1.9×"],
    ["need not be there", {}, undefined, ""],
  ] as const)("%s", (_, more, within, text) => {
    const one = row("a", "b", 80, 40, more);
    expect([isWithinLimit(one), limitText(one)]).toEqual([within, text]);
  });
});

test("a row holds the medians of its rounds and their ratio", () => {
  const samples = { ours: [3, 1, 2], floor: [1, 1, 100] };
  expect(row("a", "b", 0, 0, { samples })).toMatchObject({ ours: 2, floor: 1, ratio: 2 });
});

test("the printed table marks what is within its limit and what is not", () => {
  const lines = rowsText(INIT).split("\n");
  expect(lines.filter((line) => /^[✓✗]/.test(line)).map((line) => line.replace(/ +/g, " "))).toEqual([
    "✓ initialize, cold, 1,000 skills 60.0 ms 40.0 ms 1.50× ≤ 1.6× bare Node server",
    "✗ initialize, cold, 10,000 skills 80.0 ms 40.0 ms 2.00× ≤ 1.6× bare Node server",
  ]);
});

describe("the documentation", () => {
  test("has a column for each number of skills, the other servers, and the limits that are missed", () => {
    const text = resultsMarkdown(
      results(INIT, [PEER, { ...PEER, figures: [], problems: ["It did not start."] }]),
    );
    expect(text).toContain("|  | 1,000 skills | 10,000 skills | what the baseline is |");
    expect(text).toContain("| initialize, cold | 60.0 ms, 1.50× ✓ | 80.0 ms, 2.00× ✗ | bare Node server |");
    expect(text).toContain("| @else/other <server> 0.1.0 | initialize, cold | 240 ms, 3.00× |");
    expect(text).toContain("- @else/other <server> 0.1.0: It did not start.");
    expect(text).toContain("1 of 2:\n\n- Start, initialize, cold, 10,000 skills: 2.00×; the limit is ≤ 1.6×");
  });

  test("has a chart with a bar for each server, the longest filling the room", () => {
    const chart = startChart(results(INIT, [PEER]));
    const widths = [...chart.matchAll(/<rect class="(ours|floor|peer)" .*?width="([\d.]+)"/g)].map(
      (found) => [found[1], Number(found[2])],
    );
    const [ours = [], floor = [], peer = []] = widths;
    expect([ours[0], floor[0], peer[0]]).toEqual(["ours", "floor", "peer"]);
    expect(Number(ours[1]) / Number(peer[1])).toBeCloseTo(80 / 240, 2);
    expect(chart).toContain("other &lt;server> 0.1.0");
  });
});
