import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Bench, grouped, largeSize, type Section } from "../bench.ts";
import { untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { ourServer } from "../servers.ts";
import { startServer } from "../stdio-client.ts";

const SECTION = "A change reaches clients";
const REGISTRY = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../../packages/skills/src/registry/registry.ts",
);
/** The watcher, or else the periodic look at the disk, has told by then. */
const LONGEST_MS = 60_000;
/** The server waits for a pause in changes; the next one must not fall into the last one's. */
const BETWEEN_MS = 1_000;

/** From writing a skill to the notification. */
export const measureChanges: Section = async (bench) => {
  const rows: BenchRow[] = [];
  for (const size of new Set([Math.min(100, largeSize(bench)), largeSize(bench)])) {
    rows.push(await measureSize(bench, size));
  }
  return rows;
};

async function measureSize(bench: Bench, size: number): Promise<BenchRow> {
  const { workspace, options, progress } = bench;
  const { dir, skills } = workspace.corpus(size);
  const server = startServer(ourServer(options.bin, dir), workspace);
  const samples: number[] = [];
  const quietMs = debounceMs();
  try {
    await server.initialize();
    await server.request("tools/list", {});
    await untilQuiet(server.pid);
    for (let round = 0; round < options.rounds; round++) {
      progress(`list_changed: ${grouped(size)} skills, round ${round + 1} of ${options.rounds}`);
      // The first skills are those that every description shows, so every client sees the change.
      const { file = "" } = skills[round % skills.length] ?? {};
      const text = readFileSync(file, "utf8").replace(/^description: "/m, `description: "Edited ${round}. `);
      const heard = new Promise<void>((resolve) => {
        server.onNotification("notifications/tools/list_changed", resolve);
      });
      const began = performance.now();
      writeFileSync(file, text);
      await Promise.race([heard, tooLong()]);
      samples.push(performance.now() - began);
      await sleep(BETWEEN_MS);
    }
  } finally {
    await server.kill();
  }
  return rowOf(SECTION, {
    id: `list_changed.${size}`,
    name: `list_changed after an edit, ${grouped(size)} skills`,
    unit: "ms",
    floorName: "the pause it waits for on purpose",
    samples: { ours: samples, floor: samples.map(() => quietMs) },
  });
}

/** What the source says; a constant, because nothing else can be the floor of a wait on purpose. */
function debounceMs(): number {
  const found = /const DEBOUNCE_MS = ([\d_]+);/.exec(readFileSync(REGISTRY, "utf8"))?.[1];
  if (found === undefined) throw new Error(`${REGISTRY} no longer says how long it waits, as DEBOUNCE_MS.`);
  return Number(found.replaceAll("_", ""));
}

async function tooLong(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false });
  throw new Error(`No list_changed came within ${LONGEST_MS / 1_000} s.`);
}
