import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";

/** Linux tells of each process which inodes it watches. */
export const TELLS_WATCHES = existsSync("/proc/self/fdinfo");

/** Which of these folders this process watches at this moment. */
export function watchedAmong(folders: readonly string[]): readonly string[] {
  const inodes = new Set<number>();
  for (const fd of readdirSync("/proc/self/fdinfo")) {
    const file = `/proc/self/fdinfo/${fd}`;
    // The listing itself used a descriptor that is gone by now.
    if (!existsSync(file)) continue;
    for (const [, inode] of readFileSync(file, "utf8").matchAll(/^inotify wd:\S+ ino:([0-9a-f]+)/gm)) {
      inodes.add(Number.parseInt(inode ?? "", 16));
    }
  }
  return folders.filter((folder) => existsSync(folder) && inodes.has(statSync(folder).ino));
}
