import { withOpenFile } from "../../system/file-system.ts";

export interface Source {
  readonly text: string;
  /** The file is longer than what is shown of it. */
  readonly cut: boolean;
}

const MOST_BYTES = 256 * 1024;

/**
 * The beginning of a file that the last look at the disk found, for people who repair it: whatever is no UTF-8 becomes
 * a replacement character. Undefined when it is no regular file, or cannot be read.
 */
export async function readSource(file: string): Promise<Source | undefined> {
  try {
    return await withOpenFile(file, async ({ stats, readStart }) => {
      if (!stats.isFile()) return undefined;
      const bytes = await readStart(Math.min(stats.size, MOST_BYTES));
      return { text: new TextDecoder().decode(bytes), cut: stats.size > MOST_BYTES };
    });
  } catch {
    return undefined;
  }
}
