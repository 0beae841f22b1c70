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

export function pairHash(first: number, second: number): number {
  const low = Math.min(first, second);
  const high = Math.max(first, second);
  const mixed = Math.imul(Math.imul(low, 31) + high, 0x9e3779b1);
  // 30 bits: whole numbers of this size divide several times faster than larger ones.
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 2;
}

export function termHash(term: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash;
}

export function pairFilter(hashes: readonly number[]): Uint8Array {
  if (hashes.length === 0) return new Uint8Array(0);
  const bytesFor = (pairs: number): number => Math.max(Math.ceil(pairs * BYTES_PER_PAIR), LEAST_BYTES);
  // Texts repeat themselves: a first filter counts the pairs that are new, the second has the size for those.
  const distinct = addPairs(new Uint8Array(bytesFor(hashes.length)), hashes);
  const filter = new Uint8Array(bytesFor(distinct));
  addPairs(filter, hashes);
  return filter;
}

/** Returns how many of the pairs were not in the filter yet. */
function addPairs(filter: Uint8Array, hashes: readonly number[]): number {
  const bits = filter.length * 8;
  let added = 0;
  for (const hash of hashes) {
    let isNew = 0;
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(hash, probe, bits);
      const byte = filter[bit >>> 3] ?? 0;
      const mask = 1 << (bit & 7);
      if ((byte & mask) === 0) {
        filter[bit >>> 3] = byte | mask;
        isNew = 1;
      }
    }
    added += isNew;
  }
  return added;
}

/** Whether the filter in `bytes` from `start` to `end` contains a pair. */
export function holdsPair(bytes: Uint8Array, start: number, end: number, hash: number): boolean {
  const bits = (end - start) * 8;
  if (bits === 0) return false;
  for (let probe = 0; probe < PROBES; probe++) {
    const bit = bitOf(hash, probe, bits);
    if (((bytes[start + (bit >>> 3)] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function bitOf(hash: number, probe: number, bits: number): number {
  return ((hash + Math.imul(probe, (hash >>> 11) | 1)) & 0x3fffffff) % bits;
}
