import { readFileSync } from "node:fs";
import { type Bench, grouped, largeSize, type Section } from "../bench.ts";
import type { WrittenSkill } from "../corpus.ts";
import { percentile, timed } from "../measure.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { withServer } from "../stdio-client.ts";
import type { Workspace } from "../workspace.ts";

const SECTION = "The first calls after the first start";
const CALLS = 200;

interface Round {
  readonly constants: readonly number[];
  readonly loads: readonly number[];
  readonly firstFind: number;
  readonly finds: readonly number[];
  /** The time to read every file once. */
  readonly reading: number;
}

/** The first call of a client that asks right behind its list. One round has so many sessions. */
const SESSIONS = 10;
const SESSION_SKILLS = 100;
const FIRST_CALL_MS = 60;

/** The calls of a client that does not pause: at first while nothing is compiled, cached or indexed yet, then after one session. */
export const measureFirstCalls: Section = async (bench) => [
  ...(await measureLongSessions(bench)),
  ...(await measureFirstCall(bench)),
];

async function measureFirstCall({ workspace, options, progress }: Bench): Promise<readonly BenchRow[]> {
  const { dir, skills } = workspace.readOnlyCorpus(SESSION_SKILLS);
  const ours = ourServer(options.bin, dir);
  const known = workspace.withNewHome();
  await withServer(ours, known, (server) => server.request("tools/list", {}));
  const firstOf = (args: readonly string[], machine: Workspace, call: object): Promise<number> =>
    withServer(args, machine, async (server) => {
      await server.request("tools/list", {});
      return timed(() => server.request("tools/call", call));
    });
  const samples = { floor: [] as number[], first: [] as number[], second: [] as number[] };
  for (let round = 0; round < options.rounds; round++) {
    progress(`the first call: round ${round + 1} of ${options.rounds}`);
    const times = { floor: [] as number[], first: [] as number[], second: [] as number[] };
    for (let session = 0; session < SESSIONS; session++) {
      const name = skills[(session * 7) % skills.length]?.name ?? "";
      const call = { name: "skill", arguments: { name } };
      const constant = { name: "constant", arguments: { size: 4_000 } };
      times.floor.push(await firstOf(EMPTY_SDK_SERVER, workspace, constant));
      times.first.push(await firstOf(ours, workspace.withNewHome(), call));
      times.second.push(await firstOf(ours, known, call));
    }
    for (const key of ["floor", "first", "second"] as const) samples[key].push(percentile(times[key], 0.99));
  }
  const row = (start: "first" | "second"): BenchRow =>
    rowOf(SECTION, {
      id: `first.call.${start}.${SESSION_SKILLS}`,
      name: `the first call right behind tools/list p99, ${start} start, ${grouped(SESSION_SKILLS)} skills`,
      unit: "ms",
      floorName: `a constant from the ${EMPTY_SDK_NAME}`,
      samples: { ours: samples[start], floor: samples.floor },
      limit: FIRST_CALL_MS,
      limitOf: "ours",
    });
  return [row("first"), row("second")];
}

async function measureLongSessions(bench: Bench): Promise<readonly BenchRow[]> {
  const size = largeSize(bench);
  const { dir, skills } = bench.workspace.readOnlyCorpus(size);
  const rounds: Round[] = [];
  for (let round = 0; round < bench.options.rounds; round++) {
    bench.progress(`first calls: ${grouped(size)} skills, round ${round + 1} of ${bench.options.rounds}`);
    rounds.push(await oneRound(bench, dir, skills));
  }
  const row = (id: string, name: string, floorName: string, samples: BenchRow["samples"]): BenchRow =>
    rowOf(SECTION, {
      id: `first.${id}.${size}`,
      name: `${name}, ${grouped(size)} skills`,
      unit: "ms",
      floorName,
      samples,
    });
  const percentiles = (id: string, name: string, times: (round: Round) => readonly number[]) =>
    (["p50", "p99"] as const).map((p) => {
      const share = p === "p50" ? 0.5 : 0.99;
      return row(`${id}.${p}`, `${name} ${p}`, `a constant from the ${EMPTY_SDK_NAME}`, {
        ours: rounds.map((round) => percentile(times(round), share)),
        floor: rounds.map(({ constants }) => percentile(constants, share)),
      });
    });
  return [
    ...percentiles("load", "load", ({ loads }) => loads),
    row("find", "the first find_skills", "every file read once, in a synchronous loop", {
      ours: rounds.map(({ firstFind }) => firstFind),
      floor: rounds.map(({ reading }) => reading),
    }),
    ...percentiles("find", "find_skills", ({ finds }) => finds),
  ];
}

async function oneRound(
  { workspace, options }: Bench,
  dir: string,
  skills: readonly WrittenSkill[],
): Promise<Round> {
  // A step that shares no factor with the number of skills visits all of them, far apart.
  const skillOf = (call: number): string => skills[(call * 7_919) % skills.length]?.name ?? "";
  const constants = await withServer(EMPTY_SDK_SERVER, workspace, async (server) => {
    await server.request("tools/list", {});
    return inTurn(() => server.request("tools/call", { name: "constant", arguments: { size: 4_000 } }));
  });
  const ours = await withServer(ourServer(options.bin, dir), workspace.withNewHome(), async (server) => {
    await server.request("tools/list", {});
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
