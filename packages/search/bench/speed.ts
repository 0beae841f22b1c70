// What does the search index cost: to build, to keep, to ask, to change, to save and to load? And who waits meanwhile?
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readArguments } from "../../../bench/arguments.ts";
import { figure, median, type Row, ratio, table } from "../../../bench/measure.ts";
import { createWorkspace } from "../../../bench/workspace.ts";
import { CORPORA, readLabelledSet } from "./labelled-sets.ts";
import { installPeers } from "./peers.ts";
import type { SpeedFigures, SpeedOrder, StallFigures } from "./speed-figures.ts";
import type { SubjectName } from "./speed-subjects.ts";

/** MiniSearch takes minutes to index more. */
const MOST_FOR_MINISEARCH = 10_000;
const OURS: SubjectName = "skills-mcp";
const SPEED_CHILD = fileURLToPath(new URL("./speed-child.ts", import.meta.url));
const STALL_CHILD = fileURLToPath(new URL("./stall-child.ts", import.meta.url));

const COLUMNS: readonly (readonly [string, (figures: SpeedFigures) => number])[] = [
  ["build s", ({ buildMs }) => buildMs / 1_000],
  ["MB", ({ megabytes }) => megabytes],
  ["query p50 ms", ({ queryMs }) => queryMs.p50],
  ["p99 ms", ({ queryMs }) => queryMs.p99],
  ["hostile ms", ({ hostileMs }) => hostileMs],
  ["edit p50 ms", ({ store }) => store?.editMs.p50 ?? Number.NaN],
  ["most ms", ({ store }) => store?.editMs.most ?? Number.NaN],
  ["save ms", ({ store }) => store?.saveMs ?? Number.NaN],
  ["saved MB", ({ store }) => store?.savedMegabytes ?? Number.NaN],
  ["load ms", ({ store }) => store?.loadMs ?? Number.NaN],
];

const { rounds, sizes } = readArguments({ rounds: 3, sizes: [1_000, 10_000] });
const workspace = createWorkspace();
const hasPeers = installPeers();
const hasReal = readLabelledSet("skills") !== undefined;
if (!hasReal) console.log(`Public skills are not measured: they are not in ${CORPORA}.\n`);

const rows: Row[] = [];
const stalls: Row[] = [];
for (const size of sizes.filter((size) => size > 0)) {
  measure(`${size} synthetic skills`, { size, dir: workspace.corpus(size).dir });
  if (hasReal) measure(`${size} public skills, prompts of their authors`, { size });
  stalls.push(measureStalls(size));
}

console.log(`The search index, medians of ${rounds} rounds, each in a process of its own\n`);
console.log(table(["", ...COLUMNS.map(([heading]) => heading), "queries asked"], rows));
console.log(`\nThe longest time that the event loop stands still, in ms, medians of ${rounds} rounds\n`);
console.log(table(["", "reading and building", "saving", "loading"], stalls));

/** One of each per round, as everywhere: a busy machine slows all of them alike. */
function measure(heading: string, order: Omit<SpeedOrder, "name">): void {
  const withMiniSearch = hasPeers && order.size <= MOST_FOR_MINISEARCH;
  const others: readonly SubjectName[] = [
    "skills-mcp, words alone",
    ...(withMiniSearch ? (["MiniSearch, stemmed"] as const) : []),
    "substring scan",
  ];
  const names = [OURS, ...others];
  const results = new Map<SubjectName, SpeedFigures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results.get(name)?.push(runChild({ ...order, name }));
  }
  const values = (name: SubjectName): readonly number[] =>
    COLUMNS.map(([, value]) => median((results.get(name) ?? []).map(value)));
  const asked = (name: SubjectName): string =>
    String(Math.min(...(results.get(name) ?? []).map(({ queryMs }) => queryMs.count)));
  const base = values(OURS);
  rows.push({ heading }, [OURS, ...base.map(figure), asked(OURS)]);
  for (const name of others) {
    const figures = values(name);
    rows.push([name, ...figures.map(figure), asked(name)]);
    rows.push([`  to ${OURS}`, ...figures.map((value, column) => times(value, base[column]))]);
  }
}

function times(value: number, base: number | undefined): string {
  return Number.isFinite(value) ? ratio(value, base) : "–";
}

/** Through the keeper and the store that the product has, on files. */
function measureStalls(size: number): Row {
  const { dir } = workspace.corpus(size);
  const found = Array.from({ length: rounds }, () => runScript(STALL_CHILD, dir) as StallFigures);
  const values = (["build", "save", "load"] as const).map((phase) =>
    median(found.map((stall) => stall[phase])),
  );
  return [`${size} synthetic skills`, ...values.map(figure)];
}

function runChild(order: SpeedOrder): SpeedFigures {
  return runScript(SPEED_CHILD, JSON.stringify(order)) as SpeedFigures;
}

function runScript(script: string, argument: string): unknown {
  const flags = ["--expose-gc", "--max-old-space-size=8192", "--import", "tsx"];
  const printed = execFileSync(process.execPath, [...flags, script, argument], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(printed) as unknown;
}
