// How long does a client wait for a skill it has asked for?
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import type { WrittenSkill } from "./corpus.ts";
import { figure, median, percentile, type Row, ratio, table, timed } from "./measure.ts";
import { BARE_SERVER, EMPTY_SDK_SERVER, ourServer } from "./servers.ts";
import { type StdioClient, startServer } from "./stdio-client.ts";
import { createWorkspace } from "./workspace.ts";

/** The second look at the disk, which sets up the watches, is over by then at 10,000 skills. */
const SETTLED_AFTER_MS = 3_000;

const { rounds, sizes, calls, bin } = readArguments({ rounds: 3, sizes: [100, 10_000] });
const workspace = createWorkspace();

const OURS = "skill on skills-mcp";
const SDK = "a constant of that size on the empty SDK server";
const BARE = "a constant of that size on the bare Node server";
const FILE = "readFile in process";
const NAMES = [FILE, BARE, SDK, OURS] as const;

type Times = Readonly<Record<(typeof NAMES)[number], number[]>>;

const rows: Row[] = [];
for (const size of sizes.filter((size) => size > 0)) {
  const results: Times[] = [];
  for (let round = 0; round < rounds; round++) results.push(await oneRound(size));
  const over = (name: keyof Times, share: number): number =>
    median(results.map((times) => percentile(times[name], share)));
  rows.push({ heading: `${size} skills` });
  for (const name of NAMES) {
    const [p50, p99] = [over(name, 0.5), over(name, 0.99)];
    const toFloors = ([FILE, SDK] as const).flatMap((floor) => [
      ratio(p50, over(floor, 0.5)),
      ratio(p99, over(floor, 0.99)),
    ]);
    rows.push([name, figure(p50), figure(p99), ...toFloors]);
  }
}

console.log(`Loading a skill in ms, ${calls} calls one after another, medians of ${rounds} rounds\n`);
console.log(table(["", "p50", "p99", "p50 to file", "p99 to file", "p50 to SDK", "p99 to SDK"], rows));

/** Fresh servers, and every call made in all four ways before the next one. */
async function oneRound(size: number): Promise<Times> {
  const { dir, skills } = workspace.corpus(size);
  const bare = startServer(BARE_SERVER, workspace);
  const sdk = startServer(EMPTY_SDK_SERVER, workspace);
  const ours = startServer(ourServer(bin, dir), workspace);
  const servers = [bare, sdk, ours];
  const times: Times = { [FILE]: [], [BARE]: [], [SDK]: [], [OURS]: [] };
  try {
    await Promise.all(servers.map((server) => server.initialize()));
    await Promise.all(servers.map((server) => server.request("tools/list", {})));
    await sleep(SETTLED_AFTER_MS);
    for (let call = 0; call < calls; call++) {
      // A step that shares no factor with the number of skills visits all of them, far apart.
      const skill = skills[(call * 7_919) % skills.length];
      if (skill === undefined) throw new Error("There are no skills to load.");
      times[FILE].push(await timed(() => readFile(skill.file, "utf8")));
      times[BARE].push(await timed(() => loadConstant(bare, skill)));
      times[SDK].push(await timed(() => loadConstant(sdk, skill)));
      times[OURS].push(await timed(() => loadSkill(ours, skill)));
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
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
