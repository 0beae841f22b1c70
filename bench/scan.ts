// How long until all skills are known, how long to see that none has changed, and what do they weigh?
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createScanner, type Scan } from "../src/registry/scan.ts";
import { readArguments } from "./arguments.ts";
import { readFloor, statFloor } from "./floor/walks.ts";
import {
  figure,
  interleave,
  median,
  percentile,
  type Row,
  ratio,
  type Subject,
  table,
  timed,
} from "./measure.ts";
import { BARE_SERVER, EMPTY_SDK_SERVER, ourServer } from "./servers.ts";
import { withServer } from "./stdio-client.ts";
import { createWorkspace } from "./workspace.ts";

/** Long enough for the second look at the disk, which sets up the watches. */
const SETTLED_AFTER_MS = 3_000;
/** Memory differs little between rounds, and each takes seconds of waiting. */
const MOST_MEMORY_ROUNDS = 3;

const { rounds, sizes, bin } = readArguments({ rounds: 11, sizes: [100, 1_000, 10_000] });
const workspace = createWorkspace();
const rows: Row[] = [];

await measureFirstList();
for (const size of sizes.filter((size) => size > 0)) await measureScans(size);
await measureMemory();

console.log(`Finding skills, ${rounds} interleaved rounds\n`);
console.log(table(["", "median", "min", "p90", "to the floor", "per skill"], rows));

async function measureFirstList(): Promise<void> {
  const floor = "empty SDK server, not bundled";
  const subject = (name: string, args: readonly string[]): Subject => ({
    name,
    measure: () => {
      const start = performance.now();
      return withServer(args, workspace, async (server) => {
        await server.request("tools/list", {});
        return performance.now() - start;
      });
    },
  });
  const samples = await interleave(rounds, [
    subject(floor, EMPTY_SDK_SERVER),
    ...sizes.map((size) => subject(ours(size), ourServer(bin, workspace.corpus(size).dir))),
  ]);
  const base = samples.get(floor) ?? [];
  rows.push({ heading: "spawn → first tools/list answered, ms" }, row(floor, base, base));
  for (const size of sizes) rows.push(row(ours(size), samples.get(ours(size)) ?? [], base));
}

async function measureScans(size: number): Promise<void> {
  const { dir } = workspace.corpus(size);
  const known = scanner(dir);
  const { enabled } = await known();
  if (enabled.length !== size) throw new Error(`${enabled.length} of ${size} skills were found.`);
  const subjects = {
    read: { name: "floor: readdir, readFile of every SKILL.md", measure: () => timed(() => readFloor(dir)) },
    cold: { name: "first scan", measure: () => timed(scanner(dir)) },
    stat: { name: "floor: readdir and stat of everything", measure: () => timed(() => statFloor(dir)) },
    again: { name: "scan of what has not changed", measure: () => timed(known) },
  };
  const samples = await interleave(rounds, Object.values(subjects));
  const of = ({ name }: Subject): readonly number[] => samples.get(name) ?? [];
  rows.push({ heading: `in process, ${size} skills, ms` });
  for (const [subject, floor] of [
    [subjects.read, subjects.read],
    [subjects.cold, subjects.read],
    [subjects.stat, subjects.stat],
    [subjects.again, subjects.stat],
  ] as const) {
    rows.push([
      ...row(subject.name, of(subject), of(floor)),
      `${figure((median(of(subject)) / size) * 1_000)} µs`,
    ]);
  }
}

/** A minute ahead, so that no file looks as if it had been written this moment. */
function scanner(dir: string): Scan {
  return createScanner({
    roots: [{ dir, provider: "file", location: "user", named: true }],
    strict: false,
    now: () => Date.now() + 60_000,
  });
}

async function measureMemory(): Promise<void> {
  if (process.platform !== "linux") return;
  const counts = [...new Set([0, ...sizes])];
  const subject = (name: string, args: readonly string[]): Subject => ({
    name,
    measure: () =>
      withServer(args, workspace, async (server) => {
        await server.request("tools/list", {});
        await sleep(SETTLED_AFTER_MS);
        return residentMegabytes(server.pid);
      }),
  });
  const floors = [subject("bare Node server", BARE_SERVER), subject("empty SDK server", EMPTY_SDK_SERVER)];
  const samples = await interleave(Math.min(rounds, MOST_MEMORY_ROUNDS), [
    ...floors,
    ...counts.map((size) => subject(ours(size), ourServer(bin, workspace.corpus(size).dir))),
  ]);
  const base = samples.get("empty SDK server") ?? [];
  const empty = median(samples.get(ours(0)) ?? []);
  rows.push({ heading: `resident memory, ${SETTLED_AFTER_MS / 1_000} s after tools/list, MB` });
  for (const { name } of floors) rows.push(row(name, samples.get(name) ?? [], base));
  for (const size of counts) {
    const values = samples.get(ours(size)) ?? [];
    const perSkill = size === 0 ? [] : [`${figure(((median(values) - empty) / size) * 1_024)} KB`];
    rows.push([...row(ours(size), values, base), ...perSkill]);
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

function ours(size: number): string {
  return `skills-mcp, ${size} skills`;
}

function row(name: string, values: readonly number[], floor: readonly number[]): readonly string[] {
  const middle = median(values);
  const figures = [middle, percentile(values, 0), percentile(values, 0.9)].map(figure);
  return [name, ...figures, ratio(middle, median(floor))];
}
