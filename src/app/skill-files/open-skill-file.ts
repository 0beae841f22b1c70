import fs, { type Stats } from "node:fs";
import { type FileHandle, open, readlink } from "node:fs/promises";
import path from "node:path";
import { isInside } from "../../registry/roots/roots.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Skill } from "../../skill/skill.ts";
import { describeError } from "../../system/file-system.ts";
import { type SkillFile, stampOf } from "./skill-file.ts";

/** As much as the Skills extension allows for a whole skill. */
export const MOST_BYTES = 16 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file, as they are now. */
export function readSkillFile(skill: Skill, file: SkillFile): Promise<Buffer> {
  return withFile(skill, file, async (handle, { size }) => {
    if (size > MOST_BYTES) throw refusal(file, "it has more than 16 MiB; open it in the skill's folder");
    return await handle.readFile();
  });
}

export interface HashedFile {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly size: number;
  /** What the opened file was like. */
  readonly stamp: string;
}

/** Reads in pieces, so that a large file keeps neither the memory nor the event loop busy. */
export function hashSkillFile(skill: Skill, file: SkillFile): Promise<HashedFile> {
  return withFile(skill, file, async (handle, stats) => {
    // Loaded when first needed: it would slow the start of every server.
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stats.size + 1));
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      size += bytesRead;
      if (size > MOST_BYTES) throw refusal(file, "it has more than 16 MiB");
    }
    return { digest: `sha256:${hash.digest("hex")}`, size, stamp: stampOf(stats) };
  });
}

/**
 * Opens a file once and asks afterwards what it is and where it lies, so that nothing swapped in between can lead out
 * of the skill; a FIFO or a device is never waited for.
 */
async function withFile<T>(
  skill: Skill,
  file: SkillFile,
  use: (handle: FileHandle, stats: Stats) => Promise<T>,
): Promise<T> {
  const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
  const handle = await open(file.realFile, flags).catch((error: unknown) => {
    throw refusal(file, describeError(error));
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw refusal(file, "it is not a regular file");
    if (!(await liesInside(handle.fd, skill, file)))
      throw refusal(file, "it leads out of the skill's folder");
    return await use(handle, stats);
  } finally {
    await handle.close();
  }
}

/** Linux says of the descriptor itself where it lies; elsewhere the path was resolved a moment ago. */
async function liesInside(
  fd: number,
  { realDir, linkedFile }: Skill,
  { realFile }: SkillFile,
): Promise<boolean> {
  const place =
    process.platform === "linux" ? await readlink(`/proc/self/fd/${fd}`).catch(() => realFile) : realFile;
  return place === linkedFile || isInside(realDir, path.normalize(place));
}

function refusal({ names, realFile }: SkillFile, why: string): Refusal {
  const name = names.join("/");
  return new Refusal(`'${name}' cannot be served: ${why}.`, {
    code: "unreadable-skill",
    name,
    file: realFile,
  });
}
