import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export interface BenchArguments {
  readonly rounds: number;
  /** How many skills there are, for each thing that depends on it. */
  readonly sizes: readonly number[];
  /** How many calls make one round of `load`. */
  readonly calls: number;
  /** The built command line; another build can be named to compare two. */
  readonly bin: string;
}

const BIN = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../dist/cli.js");

/** Reads `--rounds 11 --sizes 0,100,10000 --calls 1000 --bin dist/cli.js`. */
export function readArguments(defaults: Pick<BenchArguments, "rounds" | "sizes">): BenchArguments {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string" },
      sizes: { type: "string" },
      calls: { type: "string" },
      bin: { type: "string" },
    },
  });
  return {
    rounds: values.rounds === undefined ? defaults.rounds : count("rounds", values.rounds, 1),
    sizes: values.sizes?.split(",").map((size) => count("sizes", size, 0)) ?? defaults.sizes,
    calls: values.calls === undefined ? 1_000 : count("calls", values.calls, 1),
    bin: path.resolve(values.bin ?? BIN),
  };
}

function count(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${flag} takes whole numbers from ${least}, not '${text}'.`);
}
