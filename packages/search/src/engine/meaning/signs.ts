import { eachSlice, type Steps } from "../steps.ts";
import { DIMENSIONS } from "./word-table.ts";

/** How many numbers of 32 bits the signs of a vector take. */
const SIGN_WORDS = DIMENSIONS / 32;

/** One bit for each number: 1 where it is negative. */
export function* signsOf(vectors: Int8Array): Steps<Uint32Array> {
  const signs = new Uint32Array(vectors.length / 32);
  yield* eachSlice(vectors.length, (from, to) => {
    for (let at = from; at < to; at++) {
      if ((vectors[at] as number) < 0) signs[at >>> 5] = (signs[at >>> 5] as number) | (1 << (at & 31));
    }
  });
  return signs;
}

/** By document: how many signs are those of the wanted vector, which rises with similarity. */
export function equalSigns(signs: Uint32Array, wanted: Uint32Array): Uint8Array {
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = wanted;
  const equal = new Uint8Array(signs.length / SIGN_WORDS);
  for (let doc = 0, at = 0; doc < equal.length; doc++, at += SIGN_WORDS) {
    equal[doc] =
      DIMENSIONS -
      bitCount((signs[at] as number) ^ w0) -
      bitCount((signs[at + 1] as number) ^ w1) -
      bitCount((signs[at + 2] as number) ^ w2) -
      bitCount((signs[at + 3] as number) ^ w3);
  }
  return equal;
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
