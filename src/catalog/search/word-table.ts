/** Numbers words in the order in which they are first seen. */
export interface WordTable {
  /** The number of the word between two places of `units`: `size` as it was before, when the word is new. */
  numberOf(units: Uint16Array, start: number, end: number): number;
  readonly size: number;
}

/**
 * A hash table over plain arrays: a word needs no string to be looked up, and making room for more takes a hundredth
 * of the time that a Map of so many strings holds everything up for.
 */
export function createWordTable(): WordTable {
  let slots = new Int32Array(1024).fill(-1);
  let hashes = new Int32Array(512);
  // Word `w` is in the pool from `starts[w]` to `starts[w + 1]`.
  let starts = new Uint32Array(513);
  let pool = new Uint16Array(4096);
  let size = 0;

  const makeRoom = (length: number): void => {
    if (size === hashes.length) {
      hashes = copied(hashes, new Int32Array(2 * size));
      starts = copied(starts, new Uint32Array(2 * size + 1));
      slots = new Int32Array(4 * size).fill(-1);
      for (let number = 0; number < size; number++) {
        let slot = (hashes[number] as number) & (slots.length - 1);
        while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
        slots[slot] = number;
      }
    }
    const needed = (starts[size] as number) + length;
    if (needed > pool.length) pool = copied(pool, new Uint16Array(2 * needed));
  };

  const holds = (number: number, units: Uint16Array, start: number, end: number): boolean => {
    const from = starts[number] as number;
    if ((starts[number + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (pool[from + at - start] !== units[at]) return false;
    return true;
  };

  return {
    numberOf(units, start, end) {
      const hash = hashOf(units, start, end);
      const mask = slots.length - 1;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const number = slots[slot] as number;
        if (number === -1) break;
        if (hashes[number] === hash && holds(number, units, start, end)) return number;
      }
      makeRoom(end - start);
      const from = starts[size] as number;
      for (let at = start; at < end; at++) pool[from + at - start] = units[at] as number;
      starts[size + 1] = from + end - start;
      hashes[size] = hash;
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = size;
      return size++;
    },
    get size() {
      return size;
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

/** FNV-1a, mixed so that the low bits, which choose the slot, hang on all others. */
function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (units[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}
