import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, grouped, largeSize, type Section } from "../bench.ts";
import { HAS_PROCESS_FIGURES, proportionalMemory, residentMemory, untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import {
  BARE_NAME,
  BARE_SERVER,
  EMPTY_SDK_NAME,
  EMPTY_SDK_SERVER,
  ourServer,
  withHeapProbe,
} from "../servers.ts";
import { startServer, withServer } from "../stdio-client.ts";
import type { Workspace } from "../workspace.ts";

const SECTION = "Memory";

interface Weight {
  readonly rss: number;
  readonly pss: number;
  /** RSS after a while at rest, when V8 has given back what it took for the start. */
  readonly rested: number;
}

const HEAP_CALLS = 300;
const HEAP_SKILLS = 100;
/** How much more of V8's heap than bare Node. */
const HEAP_LIMIT_MIB = 9;
const REST_MS = 40_000;
const QUICK_REST_MS = 1_000;
const NAMES: Readonly<Record<keyof Weight, string>> = {
  rss: "RSS after the start",
  pss: "PSS after the start",
  rested: `RSS after ${REST_MS / 1_000} s at rest`,
};

/** What servers hold once they have answered `tools/list`, and what they still hold when nobody has asked for a while. */
export const measureMemory: Section = async (bench) => {
  if (!HAS_PROCESS_FIGURES) return [];
  const { workspace, options, progress } = bench;
  const size = largeSize(bench);
  const weights: { sdk: Weight; empty: Weight; large: Weight }[] = [];
  const heaps: { bare: number; ours: number }[] = [];
  const restMs = options.quick ? QUICK_REST_MS : REST_MS;
  // Memory differs little between rounds, and each takes a while.
  const rounds = options.quick ? 1 : options.rounds;
  for (let round = 0; round < rounds; round++) {
    progress(`memory: round ${round + 1} of ${rounds}`);
    const weigh = (args: readonly string[]): Promise<Weight> => weighServer(args, workspace, restMs);
    const [sdk, empty, large] = await Promise.all([
      weigh(EMPTY_SDK_SERVER),
      weigh(ourServer(options.bin, workspace.corpus(0).dir)),
      weigh(ourServer(options.bin, workspace.readOnlyCorpus(size).dir)),
    ]);
    weights.push({ sdk, empty, large });
    heaps.push(await weighHeaps(bench));
  }
  const row = (of: "empty" | "large", unit: keyof Weight, limit?: number): BenchRow =>
    rowOf(SECTION, {
      id: `memory.${unit}.${of === "empty" ? 0 : size}`,
      name: `${NAMES[unit]}, ${of === "empty" ? "no skills" : `${grouped(size)} skills`}`,
      unit: "MiB",
      floorName: EMPTY_SDK_NAME,
      samples: { ours: weights.map((one) => one[of][unit]), floor: weights.map(({ sdk }) => sdk[unit]) },
      ...(limit === undefined ? {} : { limit }),
    });
  const { skills } = workspace.readOnlyCorpus(size);
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0) / skills.length;
  return [
    rowOf(SECTION, {
      id: `memory.heap.${HEAP_SKILLS}`,
      name: `heap above bare Node after ${HEAP_CALLS} calls, ${HEAP_SKILLS} skills`,
      unit: "MiB",
      floorName: `the heap of the ${BARE_NAME}`,
      samples: { ours: heaps.map(({ ours, bare }) => ours - bare), floor: heaps.map(({ bare }) => bare) },
      limit: HEAP_LIMIT_MIB,
      limitOf: "ours",
    }),
    row("empty", "rss"),
    row("empty", "pss"),
    row("empty", "rested"),
    row("large", "rss"),
    row("large", "pss"),
    row("large", "rested", 2.2),
    rowOf(SECTION, {
      id: `memory.per-skill.${size}`,
      name: `for each of ${grouped(size)} skills`,
      unit: "KiB",
      floorName: "the mean size of its SKILL.md",
      samples: {
        ours: weights.map(({ empty, large }) => ((large.rested - empty.rested) * 1_024) / size),
        floor: weights.map(() => bytes / 1_024),
      },
    }),
  ];
};

async function weighServer(args: readonly string[], workspace: Workspace, restMs: number): Promise<Weight> {
  const server = startServer(args, workspace);
  try {
    await server.initialize();
    await server.request("tools/list", {});
    await untilQuiet(server.pid);
    const started = { rss: residentMemory(server.pid), pss: proportionalMemory(server.pid) };
    await sleep(restMs);
    return { ...started, rested: residentMemory(server.pid) };
  } finally {
    await server.kill();
  }
}

/** What is in use of V8's heap after the same number of calls, in MiB. */
async function weighHeaps({ workspace, options }: Bench): Promise<{ bare: number; ours: number }> {
  const { dir, skills } = workspace.readOnlyCorpus(HEAP_SKILLS);
  const file = path.join(workspace.root, "heap");
  const machine = { ...workspace, environment: { ...workspace.environment, HEAP_FILE: file } };
  const weigh = (args: readonly string[], call: (index: number) => object): Promise<number> =>
    withServer(withHeapProbe(args), machine, async (server) => {
      await server.request("tools/list", {});
      for (let index = 0; index < HEAP_CALLS; index++) await server.request("tools/call", call(index));
      await untilQuiet(server.pid);
      rmSync(file, { force: true });
      process.kill(server.pid, "SIGUSR2");
      while (!existsSync(file)) await sleep(10);
      return Number(readFileSync(file, "utf8")) / 1_024 / 1_024;
    });
  return {
    bare: await weigh(BARE_SERVER, () => ({ name: "constant", arguments: { size: 4_000 } })),
    ours: await weigh(ourServer(options.bin, dir), (index) => ({
      name: "skill",
      arguments: { name: skills[(index * 7) % skills.length]?.name },
    })),
  };
}
