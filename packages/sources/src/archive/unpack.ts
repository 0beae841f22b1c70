import { gunzip } from "node:zlib";
import type { FetchLimits } from "../fetch/limits.ts";
import { writeFiles } from "../fetch/write-files.ts";
import type { ArchiveFile } from "./archive-entry.ts";
import { ArchiveProblem } from "./archive-problem.ts";
import { readTar } from "./tar.ts";
import { readZip } from "./zip.ts";

/** How much was written. */
export interface Unpacked {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Unpacks a zip or tar.gz archive below a folder. Every name and size is checked before the first file is written; content
 * is checked as it is unpacked. Throws an `ArchiveProblem`, and then the folder may hold a part of the files.
 */
export async function unpackArchive(
  bytes: Buffer,
  folder: string,
  limits: FetchLimits,
  signal?: AbortSignal,
): Promise<Unpacked> {
  const files = await readArchive(bytes, limits);
  if (files.length === 0) throw new ArchiveProblem("broken", "has no files");
  await writeFiles(folder, files, signal);
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

async function readArchive(bytes: Buffer, limits: FetchLimits): Promise<readonly ArchiveFile[]> {
  // What it is shows in the first bytes; names and types of the web are often wrong.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTar(await unzip(bytes, limits), limits);
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, limits);
  throw new ArchiveProblem("broken", "is neither a zip nor a tar.gz archive");
}

/** Headers and padding take some space beside the files. */
const TAR_OVERHEAD = 2_048;

function unzip(bytes: Buffer, limits: FetchLimits): Promise<Buffer> {
  const most = limits.totalBytes + limits.files * TAR_OVERHEAD;
  const maxOutputLength = Math.min(most, Math.max(limits.ratioFromBytes, bytes.length * limits.ratio));
  return new Promise((resolve, reject) => {
    const options = { maxOutputLength, info: true };
    gunzip(bytes, options, (error, result) => {
      if (error !== null) return reject(explain(error, maxOutputLength));
      // With `info`, the result has the engine as well, which knows how much it has read.
      const { buffer, engine } = result as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
      if (engine.bytesWritten !== bytes.length)
        return reject(new ArchiveProblem("broken", "has data after its end"));
      return resolve(buffer);
    });
  });
}

function explain(error: Error, most: number): ArchiveProblem {
  if ("code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
    return new ArchiveProblem("too-large", `unpacks to more than ${Math.floor(most / 1024 / 1024)} MiB`);
  return new ArchiveProblem("broken", `is damaged: ${error.message}`);
}
