/**
 * Numbers the different words of texts, from 0. Nearly every word of a text is known already: it is found by its
 * characters, without a string of its own.
 */
export interface WordNumbers {
  /** The number of the word from `from` to `to`; a new one gets the next number. */
  numberOf(codes: Uint16Array, from: number, to: number): number;
}

export function createWordNumbers(): WordNumbers {
  /** By word: its hash, and where its characters begin. */
  let hashes = new Int32Array(1024);
  let starts = new Uint32Array(1024);
  let characters = new Uint16Array(8192);
  let count = 0;
  /** By the lowest bits of a hash: the number of a word, and 1 more; the next free place if another one is there. */
  let slots = new Int32Array(4096);

  const add = (codes: Uint16Array, from: number, to: number, hash: number): number => {
    if (count + 1 === hashes.length) {
      hashes = twice(hashes);
      starts = twice(starts);
    }
    const start = starts[count] as number;
    while (start + to - from > characters.length) characters = twice(characters);
    for (let at = from; at < to; at++) characters[start + at - from] = codes[at] as number;
    hashes[count] = hash;
    starts[++count] = start + to - from;
    return count - 1;
  };

  const grow = (): void => {
    slots = new Int32Array(2 * slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < count; number++) {
      let slot = (hashes[number] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
  };

  return {
    numberOf(codes, from, to) {
      const hash = hashOf(codes, from, to);
      const mask = slots.length - 1;
      for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
        const number = (slots[slot] as number) - 1;
        if (number === -1) {
          const added = add(codes, from, to, hash);
          slots[slot] = added + 1;
          if (2 * count > slots.length) grow();
          return added;
        }
        if (hashes[number] === hash && isSame(characters, starts, number, codes, from, to)) return number;
      }
    },
  };
}

function hashOf(codes: Uint16Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (codes[at] as number)) | 0;
  // The lowest bits choose the place: those of a sum alone are those of the last characters.
  hash = Math.imul(hash, 0x9e3779b1);
  return hash ^ (hash >>> 15);
}

function isSame(
  characters: Uint16Array,
  starts: Uint32Array,
  number: number,
  codes: Uint16Array,
  from: number,
  to: number,
): boolean {
  const start = starts[number] as number;
  if ((starts[number + 1] as number) - start !== to - from) return false;
  for (let at = from; at < to; at++) if (characters[start + at - from] !== codes[at]) return false;
  return true;
}

function twice<Kind extends Int32Array | Uint16Array | Uint32Array>(values: Kind): Kind {
  const larger = new (values.constructor as new (size: number) => Kind)(2 * values.length);
  larger.set(values);
  return larger;
}
