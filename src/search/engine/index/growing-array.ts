import type { Steps } from "../../../catalog/steps.ts";

type Numbers = Uint8Array | Uint16Array | Uint32Array;

/** Numbers appended one at a time, without the eight bytes and more that a plain array takes for each. */
export interface GrowingArray<Kind extends Numbers> {
  push(value: number): void;
  pushAll(values: Kind): void;
  readonly length: number;
  /** A copy of exactly the right size. */
  finish(): Steps<Kind>;
}

export function growing32(): GrowingArray<Uint32Array> {
  return growingArray((size) => new Uint32Array(size));
}

export function growing8(): GrowingArray<Uint8Array> {
  return growingArray((size) => new Uint8Array(size));
}

export function growing16(): GrowingArray<Uint16Array> {
  return growingArray((size) => new Uint16Array(size));
}

const LEAST = 256;
/** Beyond this a new chunk is begun rather than the old one copied: copying megabytes would be one long step. */
const CHUNK = 16_384;

function growingArray<Kind extends Numbers>(create: (size: number) => Kind): GrowingArray<Kind> {
  const full: Kind[] = [];
  let chunk = create(LEAST);
  let used = 0;
  const makeRoom = (): void => {
    if (chunk.length === CHUNK) {
      full.push(chunk);
      chunk = create(CHUNK);
      used = 0;
      return;
    }
    const larger = create(chunk.length * 2);
    larger.set(chunk);
    chunk = larger;
  };
  return {
    push(value) {
      if (used === chunk.length) makeRoom();
      chunk[used++] = value;
    },
    pushAll(values) {
      for (let from = 0; from < values.length; ) {
        if (used === chunk.length) makeRoom();
        const piece = values.subarray(from, from + chunk.length - used);
        chunk.set(piece, used);
        used += piece.length;
        from += piece.length;
      }
    },
    get length() {
      return full.length * CHUNK + used;
    },
    *finish() {
      const exact = create(full.length * CHUNK + used);
      let at = 0;
      for (const piece of [...full, chunk.subarray(0, used)]) {
        exact.set(piece, at);
        at += piece.length;
        yield piece.length;
      }
      return exact;
    },
  };
}
