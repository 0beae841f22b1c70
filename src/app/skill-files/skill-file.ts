import type { Stats } from "node:fs";
import { lstat } from "../../system/file-system.ts";

/** A file that comes with a skill, by the names that the disk gave. */
export interface SkillFile {
  /** Its names below the skill's folder, the folders first. */
  readonly names: readonly string[];
  /** The path to open, with no link left in it. */
  readonly realFile: string;
  readonly size: number;
  /** Another value means that the content may differ. */
  readonly stamp: string;
  /** When it was last changed, in milliseconds. */
  readonly changedAt: number;
}

/** Undefined when it is gone, or is no regular file. */
export async function skillFileAt(
  names: readonly string[],
  realFile: string,
): Promise<SkillFile | undefined> {
  const stats = await lstat(realFile).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return undefined;
  const { size } = stats;
  return {
    names,
    realFile,
    size,
    stamp: stampOf(stats),
    changedAt: Math.max(stats.mtimeMs, stats.ctimeMs),
  };
}

export function stampOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;
}
