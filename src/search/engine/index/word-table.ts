/** Numbers words in the order in which they are first seen. */
export interface WordTable {
  /** The number of the word between two places of `units`. A new one gets the next number, from 0. */
  numberOf(units: Uint16Array, start: number, end: number): number;
}

/** So that room is made for a part of the words at a time: all at once takes as long as a request may wait. */
const SHARD_BITS = 4;
const FIRST_SLOTS = 16;
const FREE = -1;

/** A hash table over plain arrays: a word needs no string to be looked up. */
export function createWordTable(): WordTable {
  // By the first bits of the hash: the numbers of words, each in the free slot next to where its last bits point.
  const shards = Array.from({ length: 1 << SHARD_BITS }, () => new Int32Array(FIRST_SLOTS).fill(FREE));
  const used = shards.map(() => 0);
  let hashes = new Int32Array(256);
  // Word `w` is in the pool from `starts[w]` to `starts[w + 1]`.
  let starts = new Uint32Array(257);
  let pool = new Uint16Array(2048);
  let size = 0;

  const holds = (number: number, units: Uint16Array, start: number, end: number): boolean => {
    const from = starts[number] as number;
    if ((starts[number + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (pool[from + at - start] !== units[at]) return false;
    return true;
  };

  const place = (number: number, slots: Int32Array): void => {
    const mask = slots.length - 1;
    let slot = (hashes[number] as number) & mask;
    while (slots[slot] !== FREE) slot = (slot + 1) & mask;
    slots[slot] = number;
  };

  const keep = (units: Uint16Array, start: number, end: number, hash: number): number => {
    if (size === hashes.length) {
      hashes = copied(hashes, new Int32Array(2 * size));
      starts = copied(starts, new Uint32Array(2 * size + 1));
    }
    const from = starts[size] as number;
    const to = from + end - start;
    if (to > pool.length) pool = copied(pool, new Uint16Array(2 * to));
    for (let at = start; at < end; at++) pool[from + at - start] = units[at] as number;
    starts[size + 1] = to;
    hashes[size] = hash;
    return size++;
  };

  return {
    numberOf(units, start, end) {
      const hash = hashOf(units, start, end);
      const shard = hash >>> (32 - SHARD_BITS);
      let slots = shards[shard] as Int32Array<ArrayBuffer>;
      const mask = slots.length - 1;
      for (let slot = hash & mask; slots[slot] !== FREE; slot = (slot + 1) & mask) {
        const number = slots[slot] as number;
        if (hashes[number] === hash && holds(number, units, start, end)) return number;
      }
      const number = keep(units, start, end, hash);
      const inShard = (used[shard] ?? 0) + 1;
      used[shard] = inShard;
      if (2 * inShard > slots.length) {
        const old = slots;
        slots = new Int32Array(2 * old.length).fill(FREE);
        shards[shard] = slots;
        for (const other of old) if (other !== FREE) place(other, slots);
      }
      place(number, slots);
      return number;
    },
  };
}

function copied<Numbers extends Int32Array | Uint32Array | Uint16Array>(
  values: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(values);
  return larger;
}

/** FNV-1a, mixed so that the last bits hang on all others. */
function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
