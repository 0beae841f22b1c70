import { type Stats, statSync } from "node:fs";

/**
 * Tells one version of a file from another: device, inode, size and times hashed to a number of 53 bits. Two versions of
 * one file share it as rarely as that sounds, and tens of thousands of numbers take little memory.
 */
export type Fingerprint = number;

/** The coarsest clock of a common file system is FAT's: two seconds. */
const COARSE_CLOCK_MS = 2_500;
/** Others store what the kernel's clock says, which goes on every 4 to 16 ms. */
const FINE_CLOCK_MS = 25;
/** Coarse clocks store seconds, or these. */
const COARSE_STEP_MS = 10;

export function fingerprintOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): Fingerprint {
  numbers[0] = ctimeMs;
  numbers[1] = mtimeMs;
  numbers[2] = ino;
  numbers[3] = size;
  numbers[4] = dev;
  let low = 0xdead_beef;
  let high = 0x41c6_ce57;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as number;
    low = Math.imul(low ^ word, 0x9e37_79b1);
    high = Math.imul(high ^ word, 0x5f35_6495);
    low ^= high >>> 15;
    high ^= low >>> 13;
  }
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  return WORD * (high & 0x1f_ffff) + (low >>> 0);
}

/** Numbers on one side, the bits they are made of on the other. */
const numbers = new Float64Array(5);
const words = new Int32Array(numbers.buffer);
const WORD = 2 ** 32;

/** Changed so shortly before it was read that a second change may carry the same time stamp. */
export function mayChangeUnseen(
  { ctimeMs, mtimeMs }: Pick<Stats, "ctimeMs" | "mtimeMs">,
  readAt: number,
): boolean {
  // The time of the last change of any kind, which programs cannot set.
  const grain = ctimeMs % COARSE_STEP_MS === 0 ? COARSE_CLOCK_MS : FINE_CLOCK_MS;
  return Math.max(ctimeMs, mtimeMs) > readAt - grain;
}

/** The fingerprint of what is at a path now, links followed; null where nothing is, or nothing can be examined. */
export function fingerprintAt(file: string): Fingerprint | null {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? null : fingerprintOf(stats);
  } catch {
    return null;
  }
}

/**
 * Returns a function that gives what `read` makes of a small file, and calls `read` again whenever the file changed, appeared
 * or went. What `read` throws, or rejects with, is not remembered: the next call reads again.
 */
export function readWhenChanged<T>(file: string, read: () => T): () => T {
  let known: { readonly fingerprint: Fingerprint | null; readonly value: T } | undefined;
  return () => {
    const fingerprint = fingerprintAt(file);
    if (known !== undefined && known.fingerprint === fingerprint) return known.value;
    known = undefined;
    const value = read();
    const latest = { fingerprint, value };
    known = latest;
    if (value instanceof Promise)
      value.catch(() => {
        if (known === latest) known = undefined;
      });
    return value;
  };
}
