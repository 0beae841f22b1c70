/** Whole numbers, appended one after the other. Reused for one text after another, so that reading texts leaves no garbage. */
export interface NumberList {
  values: Int32Array;
  length: number;
}

export function numberList(): NumberList {
  return { values: new Int32Array(256), length: 0 };
}

export function append(list: NumberList, value: number): void {
  if (list.length === list.values.length) list.values = withRoomFor(list.values, list.length);
  list.values[list.length++] = value;
}

/** Returns the array itself if `index` fits into it, else a larger copy. */
export function withRoomFor<Kind extends Int32Array | Uint16Array | Uint32Array>(
  values: Kind,
  index: number,
): Kind {
  if (index < values.length) return values;
  const larger = new (values.constructor as new (size: number) => Kind)(2 * Math.max(values.length, index));
  larger.set(values);
  return larger;
}
