import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, grouped, type Section } from "../bench.ts";
import type { Listing, Peer } from "../peers/peers.ts";
import { HAS_PROCESS_FIGURES, processorTime, untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import {
  BARE_NAME,
  BARE_SERVER,
  EMPTY_SDK_NAME,
  EMPTY_SDK_SERVER,
  headsServer,
  ourServer,
} from "../servers.ts";
import { startServer, withServer } from "../stdio-client.ts";
import type { Workspace } from "../workspace.ts";

const SECTION = "Start";
const MOST_FOR_PEERS = 10_000;
const TOOLS_LIST: Listing = { method: "tools/list", params: {} };
const LONGEST_START_MS = 60_000;

/**
 * Ways to read the heads of all files. The limit is for the way of programs that must not block; the others block, or know
 * where each file is.
 */
const HEADS = [
  ["promises", "heads of known files, fs.promises, 16 at once", 2.2],
  ["found", "heads found and read with plain fs, in a synchronous loop", undefined],
  ["callbacks", "heads of known files, fs with callbacks, 16 at once", undefined],
  ["sync", "heads of known files, in a synchronous loop", undefined],
] as const;

/** How many times as long as bare Node the first list may take, by the number of skills. */
const READY_LIMITS: ReadonlyMap<number, number> = new Map([
  [100, 2.5],
  [10_000, 6],
]);

/** How many times as long as bare Node the second start may take, whatever the first session was. */
const SECOND_LIMIT = 1.6;

interface Times {
  readonly init: number;
  readonly ready: number;
  /** Processor time until then, which other programs on the machine change less; NaN where the kernel does not tell. */
  readonly spent: number;
}

interface Starter {
  readonly key: string;
  /** Undefined: it did not start. */
  readonly start: () => Promise<Times | undefined>;
}

/**
 * From spawning the process to the answer to `initialize`, and to the first complete `tools/list`. The instructions list skills, so
 * that `initialize` waits for the scan; its own time is measured without them.
 */
export const measureStart: Section = async (bench) => {
  const rows: BenchRow[] = [];
  for (const size of bench.options.sizes) rows.push(...(await measureSize(bench, size)));
  return rows;
};

async function measureSize(bench: Bench, size: number): Promise<readonly BenchRow[]> {
  const { workspace, options } = bench;
  const { dir } = workspace.readOnlyCorpus(size);
  const ours = ourServer(options.bin, dir);
  bench.progress(`start: ${grouped(size)} skills, filling the cache`);
  const cached = workspace.withNewHome();
  await withServer(ours, cached, async (server) => {
    await server.request("tools/list", {});
    await untilQuiet(server.pid);
  });
  // Its client left as soon as it had its list.
  const left = workspace.withNewHome();
  await withServer(ours, left, (server) => server.request("tools/list", {}));
  const plain = [...ours, "--instructions-budget", "0"];
  const starters: Starter[] = [
    { key: "bare", start: () => startOnce(BARE_SERVER, workspace) },
    { key: "sdk", start: () => startOnce(EMPTY_SDK_SERVER, workspace) },
    ...HEADS.map(([way]) => ({
      key: way,
      start: () => startOnce(headsServer(dir, way), workspace),
    })),
    { key: "cold", start: () => startOnce(ours, workspace.withNewHome()) },
    { key: "cached", start: () => startOnce(ours, cached) },
    { key: "second", start: () => startOnce(ours, left) },
    { key: "plain-cold", start: () => startOnce(plain, workspace.withNewHome()) },
    { key: "plain-cached", start: () => startOnce(plain, cached) },
  ];
  const peers = size > MOST_FOR_PEERS ? [] : bench.peers;
  const times = await startInTurn(bench, size, [
    ...starters,
    ...peers.map((peer) => peerStarter(bench, peer, dir)),
  ]);
  for (const peer of peers) {
    const ran = times.get(peer.name) ?? [];
    if (ran.length === 0) continue;
    for (const [row, what] of [
      ["start.init.cold", "init"],
      ["start.ready.cold-found", "ready"],
    ] as const) {
      const samples = ran.map((one) => one[what]);
      bench.peerFigure(peer, `${row}.${size}`, samples);
    }
  }
  const of = (key: string, what: keyof Times): readonly number[] =>
    (times.get(key) ?? []).map((one) => one[what]);
  const row = (
    id: string,
    name: string,
    what: keyof Times,
    ours: "cold" | "cached" | "second" | "plain-cold" | "plain-cached",
    [floorKey, floorName]: readonly [string, string],
    limit?: number,
  ): BenchRow =>
    rowOf(SECTION, {
      id: `start.${id}.${size}`,
      name: `${name}, ${grouped(size)} skills`,
      unit: "ms",
      floorName,
      samples: { ours: of(ours, what), floor: of(floorKey, what) },
      ...(limit === undefined ? {} : { limit }),
    });
  const bare = ["bare", BARE_NAME] as const;
  const isLarge = size === 10_000;
  // With more skills, more places are checked, and the answers of a machine with too many of them are not cached.
  const secondLimit = size <= 1_000 ? SECOND_LIMIT : undefined;
  const second = "second start after a session that ended at once";
  return [
    row("init.cold", "initialize, cold", "init", "plain-cold", bare, 1.6),
    row("init.cached", "initialize, cached", "init", "plain-cached", bare, 1.6),
    row("init.sdk", "initialize, cold", "init", "plain-cold", ["sdk", EMPTY_SDK_NAME]),
    ...HEADS.map(([way, floorName, limit]) =>
      row(`ready.cold-${way}`, "ready, cold", "ready", "cold", [way, floorName], isLarge ? limit : undefined),
    ),
    row("ready.cached", "ready, cached", "ready", "cached", bare, READY_LIMITS.get(size)),
    row("ready.second", `ready, ${second}`, "ready", "second", bare, secondLimit),
    ...(HAS_PROCESS_FIGURES
      ? [row("spent.second", `processor time, ${second}`, "spent", "second", bare, secondLimit)]
      : []),
    row("ready.cold", "ready, cold", "ready", "cold", bare),
  ];
}

/** One of each per round, every round beginning with another. */
async function startInTurn(
  bench: Bench,
  size: number,
  starters: readonly Starter[],
): Promise<ReadonlyMap<string, readonly Times[]>> {
  const times = new Map<string, Times[]>(starters.map(({ key }) => [key, []]));
  for (let round = 0; round < bench.options.rounds; round++) {
    bench.progress(`start: ${grouped(size)} skills, round ${round + 1} of ${bench.options.rounds}`);
    const first = round % starters.length;
    for (const { key, start } of [...starters.slice(first), ...starters.slice(0, first)]) {
      const time = await start();
      if (time !== undefined) times.get(key)?.push(time);
    }
  }
  return times;
}

async function startOnce(
  args: readonly string[],
  workspace: Workspace,
  listing: Listing = TOOLS_LIST,
): Promise<Times> {
  const began = performance.now();
  const server = startServer(args, workspace);
  const done = new AbortController();
  const tooLong = sleep(LONGEST_START_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error(`There was no answer within ${LONGEST_START_MS / 1_000} s.`);
  });
  const work = async (): Promise<Times> => {
    await server.initialize();
    const init = performance.now() - began;
    await server.request(listing.method, listing.params);
    const ready = performance.now() - began;
    return { init, ready, spent: HAS_PROCESS_FIGURES ? processorTime(server.pid) : Number.NaN };
  };
  try {
    return await Promise.race([work(), tooLong]);
  } finally {
    done.abort();
    tooLong.catch(() => {});
    // Its background work must not slow the next one.
    await server.kill();
  }
}

function peerStarter(bench: Bench, peer: Peer, dir: string): Starter {
  let failed = false;
  return {
    key: peer.name,
    async start() {
      if (failed) return undefined;
      const clean = bench.workspace.withNewHome();
      const { args, environment } = peer.start(dir, clean.environment["HOME"] ?? "");
      try {
        const machine = { ...clean, environment: { ...clean.environment, ...environment } };
        return await startOnce(args, machine, peer.listing);
      } catch (error) {
        failed = true;
        bench.peerProblem(
          peer,
          `It did not start: ${error instanceof Error ? error.message : String(error)}`,
        );
        return undefined;
      }
    },
  };
}
