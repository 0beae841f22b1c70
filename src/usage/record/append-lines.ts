import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;

/** Writes all of it: a nearly full disk takes a part of a write without an error. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written);
    if (bytesWritten === 0) throw Object.assign(new Error("the disk took nothing"), { code: "ENOSPC" });
    written += bytesWritten;
  }
}

/** Begins a new line if the file ends in the middle of one, which a failed or killed write leaves behind. */
export async function endTornLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  if (last[0] !== NEWLINE) await writeAll(handle, Buffer.from("\n"));
}
