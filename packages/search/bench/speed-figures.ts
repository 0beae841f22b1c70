import type { SubjectName } from "./speed-subjects.ts";

/** What a child is asked to measure. */
export interface SpeedOrder {
  readonly name: SubjectName;
  readonly size: number;
  /** A folder of skills; without one, public skills are taken. */
  readonly dir?: string;
}

/** What it found. */
export interface SpeedFigures {
  readonly buildMs: number;
  /** Heap and typed arrays that the index adds. */
  readonly megabytes: number;
  readonly queryMs: { readonly p50: number; readonly p99: number; readonly count: number };
  /** The longest of the queries that nobody types. */
  readonly hostileMs: number;
  readonly store?: {
    readonly editMs: { readonly p50: number; readonly most: number };
    readonly saveMs: number;
    readonly savedMegabytes: number;
    readonly loadMs: number;
  };
}

/** The longest time that the event loop was held, in ms. */
export interface StallFigures {
  readonly build: number;
  readonly save: number;
  readonly load: number;
}
