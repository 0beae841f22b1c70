/** The log that replicas of a server share, in front of the endpoint. Everything rejects while it cannot be reached. */
export interface SharedLog {
  /** Whether calls would be rejected now. */
  isAway(): boolean;
  /** Adds lines and counts, once for each key of a batch; `full` when too many lines wait. */
  add(batch: string, lines: readonly string[], counts: readonly LogCounts[]): Promise<Receipt | "full">;
  /** The epoch now, empty when there is no log, and the oldest entry that is not delivered, empty when there is none. */
  status(): Promise<{ readonly epoch: string; readonly first: string }>;
  /** Entries that this replica is to deliver: those of dead replicas, then new ones. */
  read(most: number): Promise<readonly LogEntry[]>;
  /** Shows the others that this replica still tries to deliver these. */
  hold(ids: readonly string[]): Promise<void>;
  /** Removes entries that were delivered. */
  done(ids: readonly string[]): Promise<void>;
}

/** The log with the counts beside it. */
export interface FleetLog extends SharedLog {
  /** The counts under names, as they are now. */
  counts(names: readonly string[]): Promise<readonly ReadonlyMap<string, number>[]>;
  lines(names: readonly string[]): Promise<readonly (readonly string[])[]>;
  /** A text that all replicas have in common: the first that was suggested. */
  agreeOn(name: string, suggestion: string): Promise<string>;
}

/** Where events are in the log. In another epoch the log may have lost them. */
export interface Receipt {
  readonly epoch: string;
  /** The id of the last one; empty when there is none. */
  readonly last: string;
}

export interface LogEntry {
  readonly id: string;
  readonly text: string;
}

/** Counts that belong to a batch: fields of a hash, or lines of a list, under a name. */
export type LogCounts =
  | { readonly name: string; readonly most: number; readonly fields: ReadonlyMap<string, number> }
  | { readonly name: string; readonly most: number; readonly lines: readonly string[] };
