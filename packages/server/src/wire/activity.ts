/** What agents called last, the newest last. Like wire.ts, it imports nothing. */
export interface ActivityAnswer {
  readonly calls: readonly WireCall[];
  /** Of the last call: what comes after it is asked for with `after`. */
  readonly last: number;
}

export interface WireCall {
  readonly number: number;
  readonly at: string;
  /** A tool, or a method of the protocol. */
  readonly what: string;
  readonly agent?: string;
  readonly version?: string;
  /** Who, on a server with tokens. */
  readonly caller?: string;
  /** The skill that was served. */
  readonly skill?: string;
  readonly outcome: "ok" | "tool_error" | "error" | "cancelled";
  /** Of an error of the protocol. */
  readonly code?: number;
  readonly ms: number;
}
