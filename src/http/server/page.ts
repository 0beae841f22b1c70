import type { Exchange } from "./exchange.ts";
import type { OpenStreams } from "./open-streams.ts";

/** What is shown at `/` and below it, once a request is let in. */
export interface Page {
  serve(exchange: Exchange): void | Promise<void>;
  /** Files without secrets, such as the page that asks for a token: whoever passes the guards may have them. */
  isOpen(path: string): boolean;
  /** Ends what the page keeps open. */
  close(): void;
}

/** What a page may know of the server that shows it. */
export interface PageContext {
  readonly streams: OpenStreams;
  readonly keepAliveMs: number;
  readonly bodyBytes: number;
  readonly state: () => {
    readonly sessions: number;
    readonly streams: number;
    /** Sessions that were opened up to 2025-11-25 (`legacy`), and requests since 2026-07-28 (`modern`). */
    readonly eras: Readonly<Record<"legacy" | "modern", number>>;
  };
}
