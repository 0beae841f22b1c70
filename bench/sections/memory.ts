import { grouped, largeSize, type Section } from "../bench.ts";
import { HAS_PROCESS_FIGURES, proportionalMemory, residentMemory, untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { startServer } from "../stdio-client.ts";
import type { Workspace } from "../workspace.ts";

const SECTION = "Memory";

interface Weight {
  readonly rss: number;
  readonly pss: number;
}

/** What servers hold once they have answered `tools/list` and come to rest. */
export const measureMemory: Section = async (bench) => {
  if (!HAS_PROCESS_FIGURES) return [];
  const { workspace, options, progress } = bench;
  const size = largeSize(bench);
  const weights: { sdk: Weight; empty: Weight; large: Weight }[] = [];
  // Memory differs little between rounds, and each takes seconds of waiting.
  const rounds = options.quick ? 1 : options.rounds;
  for (let round = 0; round < rounds; round++) {
    progress(`memory: round ${round + 1} of ${rounds}`);
    const weigh = (args: readonly string[]): Promise<Weight> => weighServer(args, workspace);
    const [sdk, empty, large] = await Promise.all([
      weigh(EMPTY_SDK_SERVER),
      weigh(ourServer(options.bin, workspace.corpus(0).dir)),
      weigh(ourServer(options.bin, workspace.readOnlyCorpus(size).dir)),
    ]);
    weights.push({ sdk, empty, large });
  }
  const row = (of: "empty" | "large", unit: keyof Weight, limit?: number): BenchRow =>
    rowOf(SECTION, {
      id: `memory.${unit}.${of === "empty" ? 0 : size}`,
      name: `${unit.toUpperCase()}, ${of === "empty" ? "no skills" : `${grouped(size)} skills`}`,
      unit: "MiB",
      floorName: EMPTY_SDK_NAME,
      samples: { ours: weights.map((one) => one[of][unit]), floor: weights.map(({ sdk }) => sdk[unit]) },
      ...(limit === undefined ? {} : { limit }),
    });
  const { skills } = workspace.readOnlyCorpus(size);
  const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0) / skills.length;
  return [
    row("empty", "rss"),
    row("empty", "pss"),
    row("large", "rss", 2.2),
    row("large", "pss"),
    rowOf(SECTION, {
      id: `memory.per-skill.${size}`,
      name: `for each of ${grouped(size)} skills`,
      unit: "KiB",
      floorName: "the mean size of its SKILL.md",
      samples: {
        ours: weights.map(({ empty, large }) => ((large.rss - empty.rss) * 1_024) / size),
        floor: weights.map(() => bytes / 1_024),
      },
    }),
  ];
};

async function weighServer(args: readonly string[], workspace: Workspace): Promise<Weight> {
  const server = startServer(args, workspace);
  try {
    await server.initialize();
    await server.request("tools/list", {});
    await untilQuiet(server.pid);
    return { rss: residentMemory(server.pid), pss: proportionalMemory(server.pid) };
  } finally {
    await server.kill();
  }
}
