import type { Stats } from "node:fs";

/**
 * What tells one state of a file or folder from another: device, inode, size and times as one number of 53 bits. Two states
 * of one place share it as rarely as that sounds, and ten thousands of single numbers are kept at a fraction of the cost.
 */
export type Identity = number;

/** The coarsest clock of a common file system is FAT's: two seconds. */
const CLOCK_GRAIN_MS = 2_500;

export function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): Identity {
  let low = 0xdead_beef;
  let high = 0x41c6_ce57;
  // Times have fractions of a millisecond, as fine as the file system's clock or finer than a double can tell.
  const mix = (word: number): void => {
    low = Math.imul(low ^ word, 0x9e37_79b1);
    high = Math.imul(high ^ word, 0x5f35_6495);
    low ^= high >>> 15;
    high ^= low >>> 13;
  };
  const mixWhole = (whole: number): void => {
    mix(whole % WORD);
    mix(whole / WORD);
  };
  const mixTime = (time: number): void => {
    const whole = Math.floor(time);
    mixWhole(whole);
    mix((time - whole) * FRACTION);
  };
  mixTime(ctimeMs);
  mixTime(mtimeMs);
  mixWhole(ino);
  mixWhole(size);
  mixWhole(dev);
  low = Math.imul(low ^ (low >>> 16), 0x85eb_ca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2_ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2_ae35);
  return WORD * (high & 0x1f_ffff) + (low >>> 0);
}

const WORD = 2 ** 32;
const FRACTION = 2 ** 20;

/** Changed so shortly before it was looked at that a second change may carry the same time stamp. */
export function mayChangeUnseen({ ctimeMs, mtimeMs }: Stats, lookedAt: number): boolean {
  return Math.max(ctimeMs, mtimeMs) > lookedAt - CLOCK_GRAIN_MS;
}
