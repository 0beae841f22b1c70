/** Agents of the server's machine, and what connecting them would change. Like wire.ts, it imports nothing. */
export interface ConnectAnswer {
  readonly agents: readonly WireConnectAgent[];
  /** What was changed by this request. */
  readonly done?: WireConnectDone;
}

export interface WireConnectAgent {
  readonly id: string;
  readonly title: string;
  /** Where it has its MCP servers, with `~` for the home folder. */
  readonly file: string;
  readonly state: "connected" | "not connected" | "other entry" | "unreadable";
  /** Whether it talks to this server now. */
  readonly isHere: boolean;
  /** What connecting it changes; absent if it is connected. */
  readonly plan?: WireConnectPlan;
}

export interface WireConnectPlan {
  /** `server`: the agent talks to this server. `own`: it starts a server of its own, because it has no place for an address. */
  readonly how: "server" | "own";
  /** The lines that change, with two around them. */
  readonly diff: readonly string[];
  /** Of the file before and after: nothing else is written. */
  readonly seen: string;
  /** Why nothing can be changed. */
  readonly reason?: string;
}

export interface WireConnectDone {
  /** What to do in the agent. */
  readonly next: string;
  /** What does the same in a terminal. */
  readonly command: string;
}
