import type { QueryText } from "../record/query-text.ts";

/** Where usage events go, and what they contain. */
export interface UsageSettings {
  /** Undefined: events are not delivered. */
  readonly endpoint: string | undefined;
  /** How delivered events contain what people typed. The history on this machine always has the text. */
  readonly context: QueryText;
  /** How delivered events name callers; default: as a digest. The history on this machine has their names. */
  readonly caller?: QueryText;
  /** Sent to the endpoint with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What events call this server; undefined: by the name of the user. */
  readonly serverId?: string | undefined;
  /** Whether a history of events is stored on this machine. */
  readonly history: boolean;
}
