import { pairFilter, pairHash } from "./pair-filter.ts";

/** Collects the pairs of a text. */
export interface PairCollector {
  /** Takes the hashes of two terms that stand together. */
  add(first: number, second: number): void;
  /** The filter of all pairs since the last one. */
  take(): Uint8Array;
}

/** A power of two, about as many as a long text has pairs. */
const REMEMBERED = 8192;

/** Most pairs of a text have just been seen: remembering some of them spares the filter the most work. */
export function createPairCollector(): PairCollector {
  // By the low bits of a hash: the last one that had them. No hash is negative.
  const remembered = new Int32Array(REMEMBERED).fill(-1);
  let hashes = new Int32Array(1024);
  let kept = 0;
  let said = 0;
  return {
    add(first, second) {
      const hash = pairHash(first, second);
      const slot = hash & (REMEMBERED - 1);
      said++;
      if (remembered[slot] === hash) return;
      remembered[slot] = hash;
      if (kept === hashes.length) {
        const larger = new Int32Array(2 * kept);
        larger.set(hashes);
        hashes = larger;
      }
      hashes[kept++] = hash;
    },
    take() {
      const filter = pairFilter(hashes.subarray(0, kept), said);
      if (kept > 0) remembered.fill(-1);
      kept = 0;
      said = 0;
      return filter;
    },
  };
}
