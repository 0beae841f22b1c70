/** Numbers appended one at a time, without the eight bytes and more that a plain array takes for each. */
export interface GrowingArray<Numbers extends Uint8Array | Uint16Array | Uint32Array> {
  push(value: number): void;
  pushAll(values: Numbers): void;
  readonly length: number;
  /** A copy of exactly the right size. */
  finish(): Numbers;
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

function growingArray<Numbers extends Uint8Array | Uint16Array | Uint32Array>(
  create: (size: number) => Numbers,
): GrowingArray<Numbers> {
  let values = create(256);
  let length = 0;
  const makeRoom = (wanted: number): void => {
    if (wanted <= values.length) return;
    const larger = create(Math.max(wanted, values.length * 2));
    larger.set(values);
    values = larger;
  };
  return {
    push(value) {
      makeRoom(length + 1);
      values[length++] = value;
    },
    pushAll(more) {
      makeRoom(length + more.length);
      values.set(more, length);
      length += more.length;
    },
    get length() {
      return length;
    },
    finish: () => {
      const exact = create(length);
      exact.set(values.subarray(0, length));
      return exact;
    },
  };
}
