import { readFileSync, utimesSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { grouped, largeSize, type Section } from "../bench.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { EMPTY_SDK_NAME, EMPTY_SDK_SERVER, ourServer } from "../servers.ts";
import { withServer } from "../stdio-client.ts";
import type { Workspace } from "../workspace.ts";

const SECTION = "Event loop";
const SETTLED_MS = 8_000;
const LONGEST_STALL_MS = 50;
const PROBE = path.join(path.dirname(fileURLToPath(import.meta.url)), "../floor/stall-probe.mjs");

interface Stalls {
  /** Until the first list of tools: mostly loading code. */
  readonly start: number;
  /** From then on: watches are set up, an index is built, a skill changes and is loaded. */
  readonly serving: number;
}

/** How long a server blocks its event loop, at most. */
export const measureStalls: Section = async (bench) => {
  const { workspace, options, progress } = bench;
  const size = largeSize(bench);
  const { dir, skills } = workspace.corpus(size);
  const [first] = skills;
  if (first === undefined || process.platform === "win32") return [];
  const ours: Stalls[] = [];
  const floor: Stalls[] = [];
  for (let round = 0; round < options.rounds; round++) {
    progress(`stalls: round ${round + 1} of ${options.rounds}`);
    floor.push(await stallsOf(EMPTY_SDK_SERVER, workspace, async () => {}));
    ours.push(
      await stallsOf(ourServer(options.bin, dir), workspace, async (call) => {
        await call("find_skills", { task: "merge two documents" });
        utimesSync(first.file, new Date(), new Date());
        await call("skill", { name: first.name });
      }),
    );
  }
  const row = (phase: keyof Stalls, name: string, limit?: number): BenchRow =>
    rowOf(SECTION, {
      id: `stall.${phase}.${size}`,
      name: `longest stall ${name}, ${grouped(size)} skills`,
      unit: "ms",
      floorName: EMPTY_SDK_NAME,
      samples: { ours: ours.map((stalls) => stalls[phase]), floor: floor.map((stalls) => stalls[phase]) },
      ...(limit === undefined ? {} : { limit, limitOf: "ours" }),
    });
  return [row("start", "until the first list"), row("serving", "after it", LONGEST_STALL_MS)];
};

async function stallsOf(
  server: readonly string[],
  workspace: Workspace,
  use: (call: (name: string, args: object) => Promise<unknown>) => Promise<void>,
): Promise<Stalls> {
  const file = path.join(workspace.project, "stalls.json");
  const machine = {
    project: workspace.project,
    environment: { ...workspace.environment, BENCH_STALLS: file },
  };
  await withServer([PROBE, ...server], machine, async (client) => {
    await client.request("tools/list", {});
    process.kill(client.pid, "SIGUSR2");
    await use((name, args) => client.request("tools/call", { name, arguments: args }));
    // Watches are set up and the caches are written by then.
    await sleep(SETTLED_MS);
  });
  return JSON.parse(readFileSync(file, "utf8")) as Stalls;
}
