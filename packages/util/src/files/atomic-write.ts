import { chmod, chown, rename, rm, writeFile } from "node:fs/promises";

export interface AtomicWriteOptions {
  readonly mode?: number;
  /** Waits until the content is on the disk, so that a power cut leaves the old file or the whole new one. */
  readonly flush?: boolean;
  /** Gives the file exactly this mode and owner: for a file that belongs to somebody else. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Replaces a file: readers and a killed process see the old content or the new one, never a part of it. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | readonly Uint8Array[],
  { mode = 0o600, flush = false, owner }: AtomicWriteOptions = {},
): Promise<void> {
  // Loaded here: most commands write nothing, and it takes a while.
  const { randomBytes } = await import("node:crypto");
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { mode, flush, flag: "wx" });
    if (owner !== undefined) {
      const isOwn = owner.uid === process.getuid?.() && owner.gid === process.getgid?.();
      if (!isOwn) await chown(temporary, owner.uid, owner.gid);
      await chmod(temporary, mode);
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
