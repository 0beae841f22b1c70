import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createProcessKey, parseProcessKey, processState } from "#util";

/** The current version and the one before, which running requests may still read. */
const LEASED = 2;

/** The state of a process in another container is unknown; its lease is valid for a while, and it renews it. */
const UNSEEN_MS = 7 * 24 * 3_600_000;
const RENEWAL_MS = 24 * 3_600_000;

/** Tells other processes which versions this one reads, so that they do not remove them. */
export function createReaderLease(folder: string) {
  const readers = path.join(folder, "readers");
  const file = path.join(readers, createProcessKey());
  let held: readonly string[] = [];
  let renewal: NodeJS.Timeout | undefined;
  // Without the lease, the grace period still protects a reader.
  const write = () => writeFile(file, held.join("\n")).catch(() => {});
  return {
    async hold(version: string): Promise<void> {
      if (held[0] === version) return;
      held = [version, ...held.filter((other) => other !== version)].slice(0, LEASED);
      await mkdir(readers, { recursive: true }).catch(() => {});
      await write();
      renewal ??= setInterval(() => void write(), RENEWAL_MS).unref();
    },
    async release(): Promise<void> {
      held = [];
      clearInterval(renewal);
      renewal = undefined;
      await rm(file, { force: true }).catch(() => {});
    },
  };
}

/** The versions that live processes read. Leases of dead ones are removed. */
export async function versionsInUse(folder: string, now: number): Promise<ReadonlySet<string>> {
  const readers = path.join(folder, "readers");
  const inUse = new Set<string>();
  for (const name of await readdir(readers).catch(() => [])) {
    const owner = parseProcessKey(name);
    const file = path.join(readers, name);
    if (owner === undefined || (await isOver(file, processState(owner), now))) {
      await rm(file, { force: true });
      continue;
    }
    for (const version of (await readFile(file, "utf8").catch(() => "")).split("\n")) inUse.add(version);
  }
  return inUse;
}

async function isOver(file: string, state: ReturnType<typeof processState>, now: number): Promise<boolean> {
  if (state !== "unknown") return state === "dead";
  const found = await stat(file).catch(() => undefined);
  return found === undefined || now - found.mtimeMs > UNSEEN_MS;
}
