import { median } from "../measure.ts";

/** One figure of both servers: plain data, for a table or a file. */
export interface HttpRow {
  readonly name: string;
  readonly ours: number;
  readonly floor: number;
  /** Ours to the floor: the median of what each round showed, so that a busy moment hits both sides of it. */
  readonly ratio: number;
  readonly unit: string;
  readonly samples: Samples;
  /** What the floor is, where it is another one than that of the other rows. */
  readonly floorName?: string;
}

/** What each round showed, of both. */
export interface Samples {
  readonly ours: readonly number[];
  readonly floor: readonly number[];
}

export function rowOf(name: string, unit: string, { ours, floor }: Samples): HttpRow {
  const ratio = median(ours.map((value, round) => value / (floor[round] ?? Number.NaN)));
  return { name, ours: median(ours), floor: median(floor), ratio, unit, samples: { ours, floor } };
}
