import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export interface BenchArguments {
  /** The sections that were named; none means all. */
  readonly names: readonly string[];
  readonly rounds: number;
  /** How many skills there are, for each thing that depends on it. */
  readonly sizes: readonly number[];
  /** How many calls make one round of `load`, `find` and `get_skill`; a round of `hook` has a fifth. */
  readonly calls: number;
  /** How long a server is left alone to see what it does by itself. */
  readonly idleSeconds: number;
  /** How long each round of HTTP load takes. */
  readonly loadSeconds: number;
  /** The built command line; another build can be named to compare two. */
  readonly bin: string;
  readonly quick: boolean;
  readonly peers: boolean;
  readonly writeDocs: boolean;
  /** Where the results are written; undefined when only some sections run and no file was named. */
  readonly out: string | undefined;
}

const BIN = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../dist/cli.js");
const SIZES = [10, 100, 1_000, 10_000, 100_000] as const;
const QUICK_SIZES = [10, 100, 1_000] as const;

export function readArguments(
  defaults: Partial<Pick<BenchArguments, "rounds" | "sizes">> = {},
): BenchArguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      sizes: { type: "string" },
      calls: { type: "string" },
      bin: { type: "string" },
      out: { type: "string" },
      quick: { type: "boolean", default: false },
      peers: { type: "boolean", default: false },
      "write-docs": { type: "boolean", default: false },
    },
  });
  const { quick } = values;
  return {
    names: positionals,
    rounds:
      values.rounds === undefined ? (defaults.rounds ?? (quick ? 3 : 7)) : count("rounds", values.rounds, 1),
    sizes:
      values.sizes?.split(",").map((size) => count("sizes", size, 1)) ??
      defaults.sizes ??
      (quick ? QUICK_SIZES : SIZES),
    calls: values.calls === undefined ? (quick ? 100 : 500) : count("calls", values.calls, 1),
    idleSeconds: quick ? 10 : 60,
    loadSeconds: quick ? 0.2 : 0.75,
    bin: path.resolve(values.bin ?? BIN),
    quick,
    peers: values.peers,
    writeDocs: values["write-docs"],
    out: values.out === undefined ? undefined : path.resolve(values.out),
  };
}

function count(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${flag} takes whole numbers from ${least}, not '${text}'.`);
}
