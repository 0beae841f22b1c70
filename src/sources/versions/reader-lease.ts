import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { ownIdentity, parseIdentity, processState } from "../../system/process-identity.ts";

/** Tells other processes which versions this one reads, so that they are not removed under it. */
export interface ReaderLease {
  hold(version: string): Promise<void>;
  release(): Promise<void>;
}

/** The one in use and the one before, which running requests may still read. */
const HELD = 2;

export function createReaderLease(folder: string): ReaderLease {
  const readers = path.join(folder, "readers");
  const file = path.join(readers, ownIdentity());
  let held: readonly string[] = [];
  return {
    async hold(version) {
      if (held[0] === version) return;
      held = [version, ...held.filter((other) => other !== version)].slice(0, HELD);
      // Without the note the grace time still protects a reader.
      await mkdir(readers, { recursive: true }).catch(() => {});
      await writeFile(file, held.join("\n")).catch(() => {});
    },
    async release() {
      held = [];
      await rm(file, { force: true }).catch(() => {});
    },
  };
}

/** The versions that living processes read. Notes of dead ones are removed. */
export async function versionsInUse(folder: string, now: number): Promise<ReadonlySet<string>> {
  const readers = path.join(folder, "readers");
  const inUse = new Set<string>();
  for (const name of await readdir(readers).catch(() => [])) {
    const identity = parseIdentity(name);
    const file = path.join(readers, name);
    if (identity === undefined || (await isOver(file, processState(identity), now))) {
      await rm(file, { force: true });
      continue;
    }
    for (const version of (await readFile(file, "utf8").catch(() => "")).split("\n")) inUse.add(version);
  }
  return inUse;
}

/** A process in another container cannot be seen; its note counts for a while. */
const UNSEEN_MS = 7 * 24 * 3_600_000;

async function isOver(file: string, state: "alive" | "dead" | "unknown", now: number): Promise<boolean> {
  if (state !== "unknown") return state === "dead";
  return stat(file).then(
    ({ mtimeMs }) => now - mtimeMs > UNSEEN_MS,
    () => true,
  );
}
