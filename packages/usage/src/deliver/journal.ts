import { type FileHandle, mkdir, open } from "node:fs/promises";
import { appendBytes, toBytes } from "../record/event-file.ts";
import { isStillAt, newPartFile } from "./part-file.ts";

/** How often a journal may disappear during a write before the write fails. */
const TRIES = 3;

interface OpenJournal {
  readonly file: string;
  readonly handle: FileHandle;
}

/** The private file where a process writes its events until they are delivered. Calls must not overlap. */
export function createJournal(folder: string) {
  let current: OpenJournal | undefined;

  async function begin(): Promise<OpenJournal> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = newPartFile(folder);
    return { file, handle: await open(file, "ax+", 0o600) };
  }

  /** Hands the file over; the next append begins another. Undefined when there is none. */
  async function rotate(): Promise<string | undefined> {
    const ended = current;
    current = undefined;
    await ended?.handle.close().catch(() => {});
    return ended?.file;
  }

  return {
    /** Resolves once the lines are on the disk, where they survive this process. */
    async append(lines: readonly string[]): Promise<void> {
      const bytes = toBytes(lines);
      for (let left = TRIES; left > 0; left--) {
        current ??= await begin();
        const { file, handle } = current;
        await appendWhole(handle, bytes);
        if (await isStillAt(file, handle)) return;
        // After a long sleep of the machine, another process may have taken this one for dead and adopted the file. It
        // delivers what it found; whether this write came in time is unknown, so it is repeated.
        await rotate();
      }
      throw new Error("the journal file keeps disappearing");
    },
    rotate,
  };
}

/** All or nothing: the caller keeps what the disk did not accept, and it must not be in the file in part as well. */
async function appendWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  const { size } = await handle.stat();
  try {
    await appendBytes(handle, bytes);
    await handle.datasync();
  } catch (error) {
    // If this fails too, repeats are recognised by their ids.
    await handle.truncate(size).catch(() => {});
    throw error;
  }
}
