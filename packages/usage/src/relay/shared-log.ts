/** The log that replicas of a server share, in front of the endpoint. Everything rejects while it cannot be reached. */
export interface SharedLog {
  isAway(): boolean;
  add(batch: string, lines: readonly string[], counts: readonly LogCounts[]): Promise<Receipt | "full">;
  status(): Promise<{ readonly epoch: string; readonly first: string }>;
  read(most: number): Promise<readonly LogEntry[]>;
  hold(ids: readonly string[]): Promise<void>;
  done(ids: readonly string[]): Promise<void>;
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

export type LogCounts =
  | { readonly name: string; readonly most: number; readonly fields: ReadonlyMap<string, number> }
  | { readonly name: string; readonly most: number; readonly lines: readonly string[] };
