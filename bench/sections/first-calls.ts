import { readFileSync } from "node:fs";
import { type Bench, grouped, largeSize, type Section } from "../bench.ts";
import type { WrittenSkill } from "../corpus.ts";
import { percentile, timed } from "../measure.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { type StdioClient, startServer } from "../stdio-client.ts";

const SECTION = "The first calls after the first start";
const CALLS = 200;

interface Round {
  readonly constants: readonly number[];
  readonly loads: readonly number[];
  readonly firstFind: number;
  readonly finds: readonly number[];
  /** What it takes to read every file once. */
  readonly reading: number;
}

/** What a client sees that goes on asking without a pause, while nothing is compiled, kept or indexed yet. */
export const measureFirstCalls: Section = async (bench) => {
  const size = largeSize(bench);
  const { dir, skills } = bench.workspace.readOnlyCorpus(size);
  const rounds: Round[] = [];
  for (let round = 0; round < bench.options.rounds; round++) {
    bench.progress(`first calls: ${grouped(size)} skills, round ${round + 1} of ${bench.options.rounds}`);
    rounds.push(await oneRound(bench, dir, skills));
  }
  const constant = `a constant from the ${EMPTY_SDK_NAME}`;
  const row = (
    id: string,
    name: string,
    floorName: string,
    ours: (round: Round) => number,
    floor: (round: Round) => number,
  ): BenchRow =>
    rowOf(SECTION, {
      id: `first.${id}.${size}`,
      name: `${name}, ${grouped(size)} skills`,
      unit: "ms",
      floorName,
      samples: { ours: rounds.map(ours), floor: rounds.map(floor) },
    });
  const p = (times: readonly number[], share: number): number => percentile([...times], share);
  return [
    row(
      "load.p50",
      "load p50",
      constant,
      ({ loads }) => p(loads, 0.5),
      ({ constants }) => p(constants, 0.5),
    ),
    row(
      "load.p99",
      "load p99",
      constant,
      ({ loads }) => p(loads, 0.99),
      ({ constants }) => p(constants, 0.99),
    ),
    row(
      "find",
      "the first find_skills",
      "every file read once, in a synchronous loop",
      ({ firstFind }) => firstFind,
      ({ reading }) => reading,
    ),
    row(
      "find.p50",
      "find_skills p50",
      constant,
      ({ finds }) => p(finds, 0.5),
      ({ constants }) => p(constants, 0.5),
    ),
    row(
      "find.p99",
      "find_skills p99",
      constant,
      ({ finds }) => p(finds, 0.99),
      ({ constants }) => p(constants, 0.99),
    ),
  ];
};

async function oneRound(
  { workspace, options }: Bench,
  dir: string,
  skills: readonly WrittenSkill[],
): Promise<Round> {
  // A step that shares no factor with the number of skills visits all of them, far apart.
  const skillOf = (call: number): string => skills[(call * 7_919) % skills.length]?.name ?? "";
  const constants = await withStarted(EMPTY_SDK_SERVER, workspace, (server) =>
    inTurn(() => server.request("tools/call", { name: "constant", arguments: { size: 4_000 } })),
  );
  const ours = await withStarted(ourServer(options.bin, dir), workspace.withNewHome(), async (server) => {
    const call = async (name: string, args: object): Promise<void> => {
      const result = await server.request("tools/call", { name, arguments: args });
      if ((result as { isError?: boolean }).isError === true) throw new Error(JSON.stringify(result));
    };
    const find = (index: number): Promise<void> =>
      call("find_skills", { task: `please ${skillOf(index).split("-").slice(0, 3).join(" ")}` });
    const loads = await inTurn((index) => call("skill", { name: skillOf(index) }));
    const firstFind = await timed(() => find(0));
    return { loads, firstFind, finds: await inTurn((index) => find(index + 1)) };
  });
  const reading = await timed(async () => {
    for (const { file } of skills) readFileSync(file, "utf8");
  });
  return { constants, ...ours, reading };
}

async function inTurn(ask: (call: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call++) times.push(await timed(() => ask(call)));
  return times;
}

async function withStarted<T>(
  args: readonly string[],
  machine: Parameters<typeof startServer>[1],
  use: (server: StdioClient) => Promise<T>,
): Promise<T> {
  const server = startServer(args, machine);
  try {
    await server.initialize();
    await server.request("tools/list", {});
    return await use(server);
  } finally {
    await server.kill();
  }
}
