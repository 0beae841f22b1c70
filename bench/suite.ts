// The whole suite, or the sections that are named: one table, one file.
import { loadavg } from "node:os";
import { measureMatch } from "../packages/library/bench/match.ts";
import { readArguments } from "./arguments.ts";
import type { Bench, Section } from "./bench.ts";
import { median } from "./measure.ts";
import { installPeers, unpublishedPeers } from "./peers/install.ts";
import { knownPeers } from "./peers/peers.ts";
import { peersText, rowsText } from "./report/print.ts";
import { type PeerFigure, type PeerResult, RESULTS_FILE, resultsOf, writeResults } from "./report/results.ts";
import { type BenchRow, isWithinLimit } from "./report/row.ts";
import { writeDocs } from "./report/write-docs.ts";
import { measureCatalog } from "./sections/catalog.ts";
import { measureChanges } from "./sections/changes.ts";
import { measureCommands } from "./sections/commands.ts";
import { measureDescription } from "./sections/description.ts";
import { measureFind } from "./sections/find.ts";
import { measureFirstCalls } from "./sections/first-calls.ts";
import { measureFleetRows } from "./sections/fleet.ts";
import { measureHook } from "./sections/hook.ts";
import { measureHttpRows } from "./sections/http.ts";
import { measureIdle } from "./sections/idle.ts";
import { measureInstall } from "./sections/install.ts";
import { measureLoad } from "./sections/load.ts";
import { measureMemory } from "./sections/memory.ts";
import { measureRefresh } from "./sections/refresh.ts";
import { measureStalls } from "./sections/stalls.ts";
import { measureStart } from "./sections/start.ts";
import { createWorkspace } from "./workspace.ts";

const SECTIONS: Readonly<Record<string, readonly Section[]>> = {
  start: [measureStart, measureCommands],
  description: [measureDescription],
  scan: [measureRefresh, measureMemory],
  stalls: [measureStalls],
  load: [measureLoad],
  find: [measureFind],
  first: [measureFirstCalls],
  hook: [measureHook],
  changes: [measureChanges],
  catalog: [measureCatalog],
  match: [measureMatch],
  http: [measureHttpRows],
  fleet: [measureFleetRows],
  install: [measureInstall],
  idle: [measureIdle],
};

const options = readArguments();
const began = performance.now();
const load = loadavg()[0] ?? Number.NaN;
const progress = (text: string): void => {
  process.stderr.write(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}\n`);
};
const figures = new Map<string, PeerFigure[]>();
const problems = new Map<string, string[]>();
if (options.peers) installPeers();
const peers = options.peers ? knownPeers() : [];
const bench: Bench = {
  options,
  workspace: createWorkspace(),
  peers,
  peerFigure({ name }, row, samples) {
    figures.set(name, [...(figures.get(name) ?? []), { row, value: median(samples), samples }]);
  },
  peerProblem({ name }, problem) {
    problems.set(name, [...new Set([...(problems.get(name) ?? []), problem])]);
  },
  progress,
};

const names = options.names.length === 0 ? Object.keys(SECTIONS) : options.names;
const rows: BenchRow[] = [];
for (const name of names) {
  for (const section of SECTIONS[name] ?? []) rows.push(...(await section(bench)));
}
const peerResults: readonly PeerResult[] = options.peers
  ? [
      ...peers.map(({ name, version }) => ({
        name,
        version,
        figures: figures.get(name) ?? [],
        problems: problems.get(name) ?? [],
      })),
      ...unpublishedPeers(),
    ]
  : [];

console.log(rowsText(rows));
if (peerResults.length > 0) console.log(`\nOther servers\n\n${peersText(rows, peerResults)}`);
const limited = rows.filter((row) => isWithinLimit(row) !== undefined);
const within = limited.filter((row) => isWithinLimit(row) === true);
console.log(`\n${within.length} of ${limited.length} limits are met.`);

// A part of the rows must not replace all of them.
const file = options.out ?? (options.names.length === 0 && !options.quick ? RESULTS_FILE : undefined);
const results = resultsOf({ rounds: options.rounds, load }, rows, peerResults, new Date());
if (file !== undefined) {
  writeResults(file, results);
  console.log(`Written to ${file}.`);
}
if (options.writeDocs) writeDocs(results);
