import { readdir, readdirSync, stat, statSync } from "node:fs";
import { promisify } from "node:util";

// Cheaper than what node:fs/promises does for each file.
const [readdirLater, statLater] = [promisify(readdir), promisify(stat)];

/** As wide as the scan's own queue. */
const AT_ONCE = 16;

/** The obvious way to learn that nothing has changed: list every folder, ask for the time of each file. */
export async function statFloor(dir: string): Promise<number> {
  let newest = 0;
  const folders = [dir];
  while (folders.length > 0) {
    await inParallel(folders.splice(0), async (folder) => {
      for (const entry of await readdirLater(folder, { withFileTypes: true })) {
        const child = `${folder}/${entry.name}`;
        if (entry.isDirectory()) folders.push(child);
        if (entry.name !== "SKILL.md") continue;
        const { mtimeMs } = await statLater(child);
        newest = Math.max(newest, mtimeMs);
      }
    });
  }
  return newest;
}

/** The same in one synchronous loop, which is faster on a warm disk and stops everything else meanwhile. */
export function statFloorInTurn(dir: string): number {
  let newest = 0;
  const folders = [dir];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const child = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(child);
      else if (entry.name === "SKILL.md") newest = Math.max(newest, statSync(child).mtimeMs);
    }
  }
  return newest;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
