import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The figures are the kernel's, so they are there on Linux alone. */
export const HAS_PROCESS_FIGURES = process.platform === "linux";

/** In a second, as `/proc` counts them on every common system. */
const CLOCK_TICKS = 100;
const LOOK_EVERY_MS = 250;
/** So many looks in a row must find the server at rest: a timer may still come. */
const QUIET_LOOKS = 4;
/** While nothing is known of a process, this must do. */
const SETTLED_AFTER_MS = 4_000;
const LONGEST_MS = 120_000;

/** Processor time of all threads, in ms. */
export function processorTime(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const spent = tasks.map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return spent.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * (1_000 / CLOCK_TICKS);
  }
}

/** Waits until a server has done what it does by itself after its start, such as setting up watches and caches. */
export async function untilQuiet(pid: number): Promise<void> {
  if (!HAS_PROCESS_FIGURES) {
    await sleep(SETTLED_AFTER_MS);
    return;
  }
  const deadline = performance.now() + LONGEST_MS;
  let before = processorTime(pid);
  for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < deadline; ) {
    await sleep(LOOK_EVERY_MS);
    const now = processorTime(pid);
    quiet = now - before < LOOK_EVERY_MS / 50 ? quiet + 1 : 0;
    before = now;
  }
}

/** Resident megabytes. */
export function residentMemory(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, "VmRSS") / 1_024;
}

/** Megabytes of which shared pages count by the part of each process that shares them. */
export function proportionalMemory(pid: number): number {
  return kilobytes(`/proc/${pid}/smaps_rollup`, "Pss") / 1_024;
}

function kilobytes(file: string, field: string): number {
  const line = readFileSync(file, "utf8")
    .split("\n")
    .find((candidate) => candidate.startsWith(`${field}:`));
  return Number(/(\d+) kB/.exec(line ?? "")?.[1]);
}
