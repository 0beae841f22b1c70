import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

export interface FileOrPipe {
  readonly text: string;
  readonly mode: number;
  /** A pipe gives its content once. */
  readonly isPipe: boolean;
}

/** A program that makes tokens, as in `--token-file <(…)`, may take so long; SIGTERM waits for it too. */
const MAX_WAIT_MS = 5_000;
const POLL_INTERVAL_MS = 20;
const MAX_BYTES = 8 * 1024 * 1024;

/** Opening a pipe that nobody writes to would block for ever, so it is opened without blocking and polled for a while. */
export async function readFileOrPipe(file: string): Promise<FileOrPipe> {
  const stats = await stat(file);
  const isPipe = stats.isFIFO();
  if (!isPipe && !stats.isFile()) throw new Error("it is neither a file nor a pipe");
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const text = isPipe ? await readPipe(handle) : await handle.readFile("utf8");
    return { text, mode: stats.mode, isPipe };
  } finally {
    await handle.close();
  }
}

async function readPipe(handle: FileHandle): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const deadline = performance.now() + MAX_WAIT_MS;
  while (bytes <= MAX_BYTES) {
    const chunk = await readNow(handle);
    if (chunk?.length === 0) {
      if (bytes === 0)
        throw new Error("it is a pipe that nobody writes to; use a file, or a pipe with a writer");
      return Buffer.concat(chunks).toString("utf8");
    }
    if (chunk !== undefined) {
      bytes += chunk.length;
      chunks.push(chunk);
    } else if (performance.now() < deadline) {
      await pause(POLL_INTERVAL_MS);
    } else {
      throw new Error(
        `it is a pipe whose writer did not finish within ${MAX_WAIT_MS / 1000} s; write the tokens to a file instead`,
      );
    }
  }
  throw new Error(`it is a pipe with more than ${MAX_BYTES / 1024 / 1024} MiB`);
}

/** What there is; undefined when the writer has not written yet, empty when there is no writer any more. */
async function readNow(handle: FileHandle): Promise<Buffer | undefined> {
  const buffer = Buffer.alloc(64 * 1024);
  try {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}
