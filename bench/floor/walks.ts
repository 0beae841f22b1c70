import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

/** As wide as the scan's own queue. */
const AT_ONCE = 16;

/** The obvious way to learn what every skill says: list the folder, read each SKILL.md. */
export async function readFloor(dir: string): Promise<number> {
  const names = await readdir(dir);
  let characters = 0;
  await inParallel(names, async (name) => {
    characters += (await readFile(path.join(dir, name, "SKILL.md"), "utf8")).length;
  });
  return characters;
}

/** The obvious way to learn that nothing has changed: list every folder, ask for the time of each file. */
export async function statFloor(dir: string): Promise<number> {
  let newest = 0;
  const folders = [dir];
  while (folders.length > 0) {
    await inParallel(folders.splice(0), async (folder) => {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const child = path.join(folder, entry.name);
        if (entry.isDirectory()) folders.push(child);
        else if (entry.name === "SKILL.md") newest = Math.max(newest, (await stat(child)).mtimeMs);
      }
    });
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
