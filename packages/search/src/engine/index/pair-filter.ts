/**
 * Which words are close together in a text, as a Bloom filter: smaller than a list of hashes, and faster to query.
 * It never misses a pair, and has about 1 % false positives.
 */

/** Words at most this far apart are a pair, in either order: `code review`, `review of the new code`. */
export const PAIR_WINDOW = 2;
const PROBES = 4;
/** At half of this, chance hits cost half a point of recall on the development prompts. */
const BYTES_PER_PAIR = 1.5;
/** In a filter of a few bytes chance hits would be too many. */
const LEAST_BYTES = 16;
/** How many hashes of pairs there are: those of 30 bits are small whole numbers to a machine, and so is the next one. */
const HASHES = 2 ** 30;

export function pairHash(first: number, second: number): number {
  const low = Math.min(first, second);
  const high = Math.max(first, second);
  const mixed = Math.imul(Math.imul(low, 31) + high, 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 2;
}

export function termHash(term: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash;
}

export function pairFilter(hashes: ArrayLike<number>): Uint8Array {
  if (hashes.length === 0) return new Uint8Array(0);
  const distinct = distinctOf(hashes);
  const filter = new Uint8Array(Math.max(Math.ceil(distinct.length * BYTES_PER_PAIR), LEAST_BYTES));
  const bits = filter.length * 8;
  for (let at = 0; at < distinct.length; at++) {
    const hash = distinct[at] as number;
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(hash, probe, bits);
      filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
    }
  }
  return filter;
}

/** Texts repeat themselves, and a filter has the size for what it holds. */
function distinctOf(hashes: ArrayLike<number>): Int32Array {
  const distinct = new Int32Array(hashes.length);
  /** Open addressing: slot = low bits of the hash; stores hash + 1, probes linearly. */
  const seen = new Int32Array(2 ** Math.ceil(Math.log2(2 * hashes.length)));
  const mask = seen.length - 1;
  let count = 0;
  for (let at = 0; at < hashes.length; at++) {
    const hash = hashes[at] as number;
    let place = hash & mask;
    while (seen[place] !== 0 && seen[place] !== hash + 1) place = (place + 1) & mask;
    if (seen[place] !== 0) continue;
    seen[place] = hash + 1;
    distinct[count++] = hash;
  }
  return distinct.subarray(0, count);
}

/** Whether the filter in `bytes` from `start` to `end` contains a pair. */
export function holdsPair(bytes: Uint8Array, start: number, end: number, hash: number): boolean {
  const bits = (end - start) * 8;
  if (bits === 0) return false;
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = bitOf(hash, probe, bits);
    if (((bytes[start + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** A product is several times faster than the remainder of a division. */
function bitOf(hash: number, probe: number, bits: number): number {
  const mixed = (hash + Math.imul(probe, Math.imul(hash, 0x9e3779b1))) & (HASHES - 1);
  return Math.floor(mixed * (bits / HASHES));
}
