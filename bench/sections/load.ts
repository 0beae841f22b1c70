import { readFile } from "node:fs";
import { promisify } from "node:util";
import { type Bench, grouped, largeSize, type Section } from "../bench.ts";
import type { WrittenSkill } from "../corpus.ts";
import { percentile, timed } from "../measure.ts";
import { untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { type StdioClient, startServer } from "../stdio-client.ts";

const SECTION = "Loading a skill";
const readLater = promisify(readFile);
const SUBJECTS = ["file", "sdk", "ours"] as const;

type Times = Readonly<Record<(typeof SUBJECTS)[number], number[]>>;

/** How long a client waits for a skill that it asks for, calls one after another. */
export const measureLoad: Section = async (bench) => {
  const rows: BenchRow[] = [];
  for (const size of new Set([Math.min(100, largeSize(bench)), largeSize(bench)])) {
    rows.push(...(await measureSize(bench, size)));
  }
  return rows;
};

async function measureSize(bench: Bench, size: number): Promise<readonly BenchRow[]> {
  const { workspace, options, progress } = bench;
  const { dir, skills } = workspace.readOnlyCorpus(size);
  const sdk = startServer(EMPTY_SDK_SERVER, workspace);
  const ours = startServer(ourServer(options.bin, dir), workspace);
  const servers = [sdk, ours];
  const rounds: Times[] = [];
  try {
    await Promise.all(servers.map((server) => server.initialize()));
    await Promise.all(servers.map((server) => server.request("tools/list", {})));
    await untilQuiet(ours.pid);
    // One round that does not count: code is compiled while it runs.
    await oneRound(skills, options.calls, sdk, ours);
    for (let round = 0; round < options.rounds; round++) {
      progress(`load: ${grouped(size)} skills, round ${round + 1} of ${options.rounds}`);
      rounds.push(await oneRound(skills, options.calls, sdk, ours));
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
  const of = (subject: keyof Times, share: number): readonly number[] =>
    rounds.map((times) => percentile(times[subject], share));
  return [
    { share: 0.5, p: "p50", floor: "file", floorName: "readFile in process", limit: undefined },
    { share: 0.99, p: "p99", floor: "file", floorName: "readFile in process", limit: 5 },
    {
      share: 0.5,
      p: "p50",
      floor: "sdk",
      floorName: `a constant from the ${EMPTY_SDK_NAME}`,
      limit: undefined,
    },
    {
      share: 0.99,
      p: "p99",
      floor: "sdk",
      floorName: `a constant from the ${EMPTY_SDK_NAME}`,
      limit: undefined,
    },
  ].map(({ share, p, floor, floorName, limit }) =>
    rowOf(SECTION, {
      id: `load.${p}.${floor}.${size}`,
      name: `${p}, ${grouped(size)} skills`,
      unit: "ms",
      floorName,
      samples: { ours: of("ours", share), floor: of(floor as keyof Times, share) },
      ...(limit === undefined ? {} : { limit, limitOf: "ours" }),
    }),
  );
}

/** Every call is made in all ways before the next one. */
async function oneRound(
  skills: readonly WrittenSkill[],
  calls: number,
  sdk: StdioClient,
  ours: StdioClient,
): Promise<Times> {
  const times: Times = { file: [], sdk: [], ours: [] };
  for (let call = 0; call < calls; call++) {
    // A step that shares no factor with the number of skills visits all of them, far apart.
    const skill = skills[(call * 7_919) % skills.length];
    if (skill === undefined) throw new Error("There are no skills to load.");
    times.file.push(await timed(() => readLater(skill.file, "utf8")));
    times.sdk.push(await timed(() => loadConstant(sdk, skill)));
    times.ours.push(await timed(() => loadSkill(ours, skill)));
  }
  return times;
}

async function loadConstant(server: StdioClient, { bytes }: WrittenSkill): Promise<void> {
  await server.request("tools/call", { name: "constant", arguments: { size: bytes } });
}

async function loadSkill(server: StdioClient, { name, bytes }: WrittenSkill): Promise<void> {
  const result = await server.request("tools/call", { name: "skill", arguments: { name } });
  const { content, isError } = result as { content?: readonly { text?: string }[]; isError?: boolean };
  if (isError === true || (content?.[0]?.text?.length ?? 0) < bytes) {
    throw new Error(`The skill '${name}' was not loaded: ${JSON.stringify(result).slice(0, 500)}`);
  }
}
