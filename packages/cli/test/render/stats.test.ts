import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UsageSummary } from "#usage";
import { columnsOf, sparkline } from "../../src/render/layout.ts";
import { renderNoStats, renderStats } from "../../src/render/stats.ts";
import { createStyle } from "../../src/render/text.ts";

const PLAIN = createStyle(false);
const NOTHING = {
  events: 0,
  suggested: 0,
  searched: 0,
  served: 0,
  assets: 0,
  scripts: 0,
  noMatch: 0,
  ambiguous: 0,
  errors: 0,
};

const EMPTY: UsageSummary = {
  since: "2026-11-13",
  until: "2026-11-15",
  totals: NOTHING,
  days: ["2026-11-13", "2026-11-14", "2026-11-15"].map((day) => ({ day, ...NOTHING })),
  mostUsed: [],
  neverUsed: [],
  readByAgents: [],
  suggestions: [],
  noMatch: [],
  ambiguous: [],
  feedback: [],
  scripts: [],
  funnel: { suggested: 0, searched: 0, loaded: 0, scripts: 0 },
  skills: [],
  clients: [],
  callers: [],
};

const GROUP = { events: 9, suggested: 0, searched: 4, loaded: 3, scripts: 2, noMatch: 1, skills: [] };

const BUSY: UsageSummary = {
  ...EMPTY,
  totals: {
    events: 20,
    suggested: 0,
    searched: 7,
    served: 9,
    assets: 1,
    scripts: 5,
    noMatch: 3,
    ambiguous: 1,
    errors: 1,
  },
  days: EMPTY.days.map((day, index) => ({ ...day, served: [1, 0, 8][index] ?? 0 })),
  mostUsed: [
    { skill: "pdf", count: 8, perDay: [0, 0, 8] },
    { skill: "日本", count: 1, perDay: [1, 0, 0] },
  ],
  neverUsed: ["docx", "git-flow"],
  readByAgents: ["xlsx"],
  noMatch: [
    { query: "deploy to mars", count: 3, kind: "search" },
    { query: "pfd", count: 2, kind: "name" },
  ],
  funnel: { suggested: 0, searched: 7, loaded: 9, scripts: 5 },
  clients: [{ ...GROUP, name: "codex", perDay: [0, 0, 3], versions: [{ version: "1.2", count: 9 }] }],
  callers: [{ ...GROUP, name: "ann", perDay: [0, 0, 3] }],
  ambiguous: [{ query: "auth", count: 1 }],
  feedback: [
    {
      skill: "pdf",
      useful: 1,
      notUseful: 1,
      comments: [
        { day: "2026-11-15", useful: false, text: "Out of date." },
        { day: "2026-11-14", useful: true, text: "Great." },
      ],
    },
  ],
  scripts: [{ skill: "pdf", file: "scripts/fill.py", runs: 5, failures: 1, p50Ms: 120.4 }],
};

test.each([
  ["loaded and ignored", 0, "SUGGESTED  COUNT  LOADED  IGNORED\npdf            5       3        2"],
  [
    "what no server sees apart",
    2,
    "SUGGESTED  COUNT  LOADED  IGNORED  NOT SEEN\npdf            7       3        2         2",
  ],
])("stats: suggestions of hooks are shown with %s", (_what, native, table) => {
  const suggestions = [{ skill: "pdf", suggested: 5 + native, loaded: 3, ignored: 2, native }];
  expect(renderStats({ ...EMPTY, suggestions }, { width: undefined, style: PLAIN })).toContain(`${table}\n`);
});

test("stats: a terminal gets tables with sparklines", () => {
  expect(renderStats(BUSY, { width: 80, style: PLAIN })).toBe(`Usage from 2026-11-13 to 2026-11-15 (UTC)
▁·█
9 loads · 1 asset · 5 script runs · 3 searches with no match · 1 ambiguous search · 1 error
suggested 0 → searched 7 → loaded 9 → scripts 5

MOST USED  COUNT  PER DAY
pdf            8  ··█
日本           1  █··

NEVER USED (2)
docx, git-flow

READ BY AN AGENT ITSELF, USE NOT KNOWN (1)
xlsx

CLIENT  SEARCHED  LOADED  SCRIPTS  NO MATCH
codex          4       3        2         1

CALLER  SEARCHED  LOADED  SCRIPTS  NO MATCH
ann            4       3        2         1

SEARCHES WITH NO MATCH  COUNT
deploy to mars              3

UNKNOWN NAMES  COUNT
pfd                2

AMBIGUOUS SEARCHES  COUNT
auth                    1

FEEDBACK  USEFUL  NOT USEFUL
pdf            1           1
- 2026-11-15 pdf: Out of date.
+ 2026-11-14 pdf: Great.

SCRIPT               RUNS  FAILED  MEDIAN
pdf scripts/fill.py     5       1  120 ms
`);
});

test("stats: a pipe gets no sparklines, and with --all nothing is cut", () => {
  const skill = "n".repeat(100);
  const many = Array.from({ length: 30 }, (_, n) => ({ skill: `${skill}${n}`, count: 1, perDay: [0, 0, 1] }));
  const look = { width: undefined, style: PLAIN };
  const text = renderStats({ ...BUSY, mostUsed: many }, look, { all: true });
  expect(text).not.toMatch(/[▁▂▃▄▅▆▇█]/);
  expect(text).toContain(`${skill}29`);
  expect(text).not.toContain("more");
});

test("stats: in a pipe the columns are aligned, however long a query is", () => {
  const noMatch = ["short", "q".repeat(120), "x".repeat(200)].map((query) => ({
    query,
    count: 7,
    kind: "search" as const,
  }));
  const lines = renderStats({ ...BUSY, noMatch }, { width: undefined, style: PLAIN }).split("\n");
  const first = lines.findIndex((line) => line.startsWith("SEARCHES WITH NO MATCH"));
  expect(lines.slice(first, first + 4).map(columnsOf)).toEqual([207, 207, 207, 207]);
});

test.each([80, 100, undefined])(
  "stats: long lists fit a screen at %s columns, and all are counted",
  (width) => {
    const names = Array.from({ length: 117 }, (_, n) => `skill-${n}`);
    const long: UsageSummary = {
      ...BUSY,
      neverUsed: names,
      mostUsed: names.map((skill) => ({ skill, count: 1, perDay: [0, 0, 1] })),
      noMatch: names.map((query) => ({ query, count: 1, kind: "search" })),
      callers: names.map((name) => ({ ...GROUP, name, perDay: [0, 0, 3] })),
      scripts: names.map((skill) => ({ skill, file: "a.py", runs: 1, failures: 0, p50Ms: 1 })),
    };
    const look = { width, style: PLAIN };
    const text = renderStats(long, look);
    expect(text.split("\n").length).toBeLessThanOrEqual(45);
    expect(text).toContain("NEVER USED (117)\nskill-0, ");
    expect(text).toMatch(/… and 11\d more; --all shows all\./);
    const all = renderStats(long, look, { all: true });
    for (const name of names) expect(all).toContain(name);
    expect(all).not.toContain("more");
  },
);

test("stats: a client's text cannot move the cursor", () => {
  const evil = "\u001B[2J\nrm -rf\r";
  const text = renderStats(
    {
      ...BUSY,
      mostUsed: [{ skill: evil, count: 1, perDay: [0, 0, 1] }],
      neverUsed: [evil],
      noMatch: [
        { query: evil, count: 1, kind: "search" },
        { query: evil, count: 1, kind: "name" },
      ],
      clients: [{ ...GROUP, name: evil, perDay: [], versions: [] }],
      callers: [{ ...GROUP, name: evil, perDay: [] }],
      ambiguous: [{ query: evil, count: 1 }],
      feedback: [
        { skill: evil, useful: 1, notUseful: 0, comments: [{ day: evil, useful: true, text: evil }] },
      ],
      scripts: [{ skill: evil, file: evil, runs: 1, failures: 0, p50Ms: undefined }],
    },
    { width: 80, style: PLAIN },
  );
  expect(text).not.toMatch(/[\u001B\r]/);
  expect(text.split("\n").filter((line) => line.startsWith("rm"))).toEqual([]);
});

test("stats: only a style with colours has escape sequences", () => {
  expect(renderStats(BUSY, { width: 80, style: createStyle(true) })).toContain("\u001B[");
  expect(renderStats(BUSY, { width: 80, style: createStyle(false) })).not.toContain("\u001B[");
});

test("stats: tables fit the terminal", () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 200 }), fc.string({ maxLength: 120 }), (width, skill) => {
      const perDay = Array.from({ length: 90 }, (_, n) => n);
      const text = renderStats(
        { ...BUSY, mostUsed: [{ skill, count: 1_000_000, perDay }] },
        { width, style: PLAIN },
      );
      const table = text.split("\n\n")[1] ?? "";
      for (const line of table.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test("stats: without usage, says what to do and where the numbers are kept", () => {
  const text = renderNoStats(EMPTY, { width: undefined, style: PLAIN }, "node /opt/cli.js");
  expect(text).toContain("No skill has been used since 2026-11-13.");
  expect(text).toContain("  node /opt/cli.js connect\n  node /opt/cli.js stats\n");
  expect(text).toContain("on this machine only");
  expect(text).toContain("history: false");
});

describe("a sparkline", () => {
  test.each([
    [[], 10, ""],
    [[0, 0], 10, "··"],
    [[1, 2, 4, 8], 10, "▁▂▄█"],
    [[5], 10, "█"],
    [[1, 1000], 10, "▁█"],
    [[1, 1, 2, 2], 2, "▄█"],
    [[1, 1, 2, 2, 4], 2, "▆█"],
  ])("of %j in %i columns is %s", (values, columns, line) => {
    expect(sparkline(values, columns)).toBe(line);
  });

  test("never is wider than it may be", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { maxLength: 400 }),
        fc.integer({ min: 1, max: 60 }),
        (values, columns) => {
          expect(sparkline(values, columns).length).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });
});
