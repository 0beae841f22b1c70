import path from "node:path";
import { type Bench, grouped, largeSize, type Section } from "../bench.ts";
import { writeLibrary } from "../library-corpus.ts";
import { percentile, timed } from "../measure.ts";
import { untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { type StdioClient, startServer } from "../stdio-client.ts";

const SECTION = "Finding a skill for a task";

interface Asked {
  readonly id: string;
  readonly tool: string;
  readonly size: number;
  readonly args: readonly string[];
  readonly ask: (call: number) => object;
}

/** `find_skills` over all skills, and `get_skill` over a library, once their indexes are there. */
export const measureFind: Section = async (bench) => {
  const { workspace, options } = bench;
  const size = largeSize(bench);
  const { dir, skills } = workspace.readOnlyCorpus(size);
  const library = path.join(workspace.root, `library-${size}`);
  const tasks = writeLibrary(library, size);
  const words = (call: number): string =>
    (skills[(call * 7_919) % skills.length]?.name ?? "").split("-").slice(0, 3).join(" ");
  return [
    ...(await measureTool(bench, {
      id: "find_skills",
      tool: "find_skills",
      size,
      args: ourServer(options.bin, dir),
      ask: (call) => ({ task: `please ${words(call)} and verify each step` }),
    })),
    ...(await measureTool(bench, {
      id: "get_skill",
      tool: "get_skill",
      size,
      args: [options.bin, "mcp", "--library", library, "--tools", "library"],
      ask: (call) => ({ context: tasks[(call * 7_919) % tasks.length] ?? "" }),
    })),
  ];
};

async function measureTool(bench: Bench, { id, tool, size, args, ask }: Asked): Promise<readonly BenchRow[]> {
  const { workspace, options, progress } = bench;
  const ours = startServer(args, workspace);
  const sdk = startServer(EMPTY_SDK_SERVER, workspace);
  const rounds: { ours: number[]; sdk: number[] }[] = [];
  const servers = [ours, sdk];
  try {
    await Promise.all(servers.map((server) => server.initialize()));
    await Promise.all(servers.map((server) => server.request("tools/list", {})));
    progress(`${tool}: ${grouped(size)} skills, until the index is there`);
    const answer = await call(ours, tool, ask(0));
    const bytes = Math.min(JSON.stringify(answer).length, 16_000);
    await untilQuiet(ours.pid);
    // The first round does not count: code is compiled while it runs.
    for (let round = 0; round <= options.rounds; round++) {
      progress(`${tool}: ${grouped(size)} skills, round ${round} of ${options.rounds}`);
      const times = { ours: [] as number[], sdk: [] as number[] };
      for (let index = 0; index < options.calls; index++) {
        times.sdk.push(await timed(() => call(sdk, "constant", { size: bytes })));
        times.ours.push(await timed(() => call(ours, tool, ask(index))));
      }
      if (round > 0) rounds.push(times);
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
  return (["p50", "p99"] as const).map((p) => {
    const share = p === "p50" ? 0.5 : 0.99;
    return rowOf(SECTION, {
      id: `${id}.${p}.${size}`,
      name: `${tool} ${p}, ${grouped(size)} skills`,
      unit: "ms",
      floorName: `a constant from the ${EMPTY_SDK_NAME}`,
      samples: {
        ours: rounds.map((times) => percentile(times.ours, share)),
        floor: rounds.map((times) => percentile(times.sdk, share)),
      },
      ...(p === "p99" ? { limit: 5, limitOf: "ours" } : {}),
    });
  });
}

async function call(server: StdioClient, name: string, args: object): Promise<unknown> {
  const result = await server.request("tools/call", { name, arguments: args });
  if ((result as { isError?: boolean }).isError === true) {
    throw new Error(`${name} refused ${JSON.stringify(args)}: ${JSON.stringify(result).slice(0, 300)}`);
  }
  return result;
}
