import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";

/** When the failures began, in a file: whoever is started next still knows, and so do those who share the cache. */
export interface FailingSince {
  /** As ISO text; undefined when the last attempt of all went well. */
  read(): Promise<string | undefined>;
  /** Notes a failure, unless an earlier one is noted. Answers with the one that began it. */
  begin(at: number): Promise<string>;
  end(): Promise<void>;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const LONGEST = 64;

export function createFailingSince(file: string, now: () => number): FailingSince {
  async function read(): Promise<string | undefined> {
    try {
      const stats = await lstat(file);
      if (!stats.isFile() || stats.size > LONGEST) return undefined;
      const text = await readFile(file, "utf8");
      // A time to come cannot be when something began.
      return ISO.test(text) && Date.parse(text) <= now() ? text : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    read,
    async begin(at) {
      const noted = await read();
      if (noted !== undefined) return noted;
      const since = new Date(at).toISOString();
      const draft = `${file}.${process.pid}.tmp`;
      try {
        await writeFile(draft, since);
        // What is there now is damaged, and may be a folder.
        await rm(file, { recursive: true, force: true });
        await rename(draft, file);
      } catch {
        // A full disk may be what fails. The next failure is noted then.
        await rm(draft, { force: true }).catch(() => {});
      }
      return since;
    },
    end: () => rm(file, { recursive: true, force: true }).catch(() => {}),
  };
}
