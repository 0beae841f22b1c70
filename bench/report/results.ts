import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchRow } from "./row.ts";

const PROJECT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

export const RESULTS_FILE = path.join(PROJECT, "bench", "results.json");

/** One figure of another server, taken in the same rounds as the row of that id. */
export interface PeerFigure {
  readonly row: string;
  readonly value: number;
  readonly samples: readonly number[];
}

/** Another server that does what ours does. One that does not start says why. */
export interface PeerResult {
  readonly name: string;
  readonly version: string;
  readonly figures: readonly PeerFigure[];
  readonly problems: readonly string[];
}

export interface Results {
  readonly format: 1;
  readonly version: string;
  readonly node: string;
  readonly cpu: string;
  readonly cpus: number;
  /** How many processes wanted a core in the minute before the run; more than there are cores is a busy machine. */
  readonly load: number;
  readonly date: string;
  readonly rounds: number;
  readonly rows: readonly BenchRow[];
  readonly peers: readonly PeerResult[];
}

export function resultsOf(
  { rounds, load }: { readonly rounds: number; readonly load: number },
  rows: readonly BenchRow[],
  peers: readonly PeerResult[],
  now: Date,
): Results {
  const { version } = JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8")) as {
    version: string;
  };
  const cores = cpus();
  return {
    format: 1,
    version,
    node: process.version,
    cpu: cores[0]?.model ?? "unknown",
    cpus: cores.length,
    load,
    date: now.toISOString(),
    rounds,
    rows,
    peers,
  };
}

export function writeResults(file: string, results: Results): void {
  // Three decimals are a microsecond.
  const short = (_: string, value: unknown): unknown =>
    typeof value === "number" && !Number.isInteger(value) ? Math.round(value * 1_000) / 1_000 : value;
  writeFileSync(file, `${JSON.stringify(results, short, 1)}\n`);
}

export function readResults(file: string): Results {
  const results = JSON.parse(readFileSync(file, "utf8")) as Results;
  if (results.format !== 1 || !Array.isArray(results.rows)) {
    throw new Error(`${file} has no results in format 1. Create them with 'npm run bench -- --out ${file}'.`);
  }
  return results;
}
