import type { QueryText } from "../record/query-text.ts";

/** Where usage events go, and what they contain. */
export interface UsageSettings {
  /** Where events are sent; undefined when nowhere. */
  readonly endpoint: string | undefined;
  /** How much of what people typed an event contains. */
  readonly context: QueryText;
  /** How an event that leaves this machine names its caller. */
  readonly caller?: QueryText;
  readonly headers?: Readonly<Record<string, string>>;
  /** What events call this server; undefined: by the name of the user. */
  readonly serverId?: string | undefined;
  /** Whether a history of events is stored on this machine. */
  readonly history: boolean;
}
