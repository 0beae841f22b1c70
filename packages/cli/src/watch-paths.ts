import path from "node:path";
import { FolderWatcher, SKILL_FOLDERS, traverseRoot } from "#skills";
import { debounce, POOLED_DISK, singleFlight } from "#util";

const PAUSE_MS = 200;
const LONGEST_MS = 1_000;
/** The watcher is a hint: some file systems report nothing. */
const POLL_MS = 5_000;

/** Calls `onChange` after each change below the paths, for as long as the process lives; rejects if it fails. */
export function watchPaths(paths: readonly string[], onChange: () => Promise<void>): Promise<never> {
  return new Promise<never>((_resolve, reject) => {
    const watcher = new FolderWatcher({ onChange: () => soon(), onLimit: () => {} });
    const run = singleFlight(async () => {
      await watchFolders(watcher, paths);
      await onChange();
    });
    const again = (): void => void run().catch(reject);
    const soon = debounce(again, PAUSE_MS, LONGEST_MS);
    setInterval(again, POLL_MS);
    again();
  });
}

async function watchFolders(watcher: FolderWatcher, paths: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  const awaited: string[] = [];
  for (const target of paths) {
    const stats = await POOLED_DISK.lstat(target);
    if (stats === undefined) awaited.push(target);
    else if (stats.isFile()) folders.add(path.dirname(target));
    else for (const folder of (await traverseRoot(target, SKILL_FOLDERS)).folders) folders.add(folder);
  }
  for (const folder of folders) watcher.ensure(folder);
  await watcher.settle(folders, awaited);
}
