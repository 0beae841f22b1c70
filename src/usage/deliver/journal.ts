import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { endTornLine, writeAll } from "../record/append-lines.ts";
import { type Owner, partName } from "./owner.ts";
import { isStillAt } from "./piece.ts";

/** The private file where a process keeps its events until they are delivered. Calls must not overlap. */
export interface Journal {
  /** Resolves once the lines are on the disk, where a killed process leaves them to the others. */
  append(lines: readonly string[]): Promise<void>;
  /** Hands the file over; the next line begins another. Undefined when there is none. */
  rotate(): Promise<string | undefined>;
}

/** How often a journal may be taken away from under a write before the disk counts as broken. */
const TRIES = 3;

interface OpenJournal {
  readonly file: string;
  readonly handle: FileHandle;
}

export function createJournal(folder: string, owner: Owner): Journal {
  let current: OpenJournal | undefined;

  async function begin(): Promise<OpenJournal> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, partName(owner));
    return { file, handle: await open(file, "ax+", 0o600) };
  }

  async function end(): Promise<void> {
    const ended = current;
    current = undefined;
    await ended?.handle.close().catch(() => {});
  }

  return {
    async append(lines) {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      for (let left = TRIES; left > 0; left--) {
        current ??= await begin();
        const { file, handle } = current;
        await appendWhole(handle, bytes);
        if (await isStillAt(file, handle)) return;
        // After a long sleep of the machine another process may have thought us gone and adopted the file. What it held
        // by then is that process's to deliver; whether this write came in time nobody knows, so it is made again.
        await end();
      }
      throw new Error("its journal keeps vanishing");
    },
    async rotate() {
      const file = current?.file;
      await end();
      return file;
    },
  };
}

/** All of it or nothing: the caller keeps what the disk did not take, and it must not be there in part as well. */
async function appendWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  const { size } = await handle.stat();
  try {
    await endTornLine(handle);
    await writeAll(handle, bytes);
    await handle.datasync();
  } catch (error) {
    // If even this fails, the repeats are told by their ids.
    await handle.truncate(size).catch(() => {});
    throw error;
  }
}
