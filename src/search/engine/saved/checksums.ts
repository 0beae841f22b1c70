/** Two independent mixes of every word: enough to tell damage, no defence against forgery. */
export interface Checksums {
  add(words: Uint32Array, from: number, to: number): void;
  values(): readonly [number, number];
}

export function createChecksums(seed: number): Checksums {
  let first = 0x811c9dc5;
  let second = seed;
  return {
    add(words, from, to) {
      let one = first;
      let two = second;
      for (let index = from; index < to; index++) {
        const word = words[index] as number;
        one = Math.imul(one ^ word, 0x01000193);
        one ^= one >>> 15;
        two = (Math.imul(two, 0x85ebca6b) + word) | 0;
      }
      first = one;
      second = two;
    },
    values: () => [first >>> 0, second >>> 0],
  };
}
