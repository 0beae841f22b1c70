import type { RequestId } from "@modelcontextprotocol/server";

/** How the transport of one replica tells the others of a session that they share. */
export interface Sharing {
  readonly replica: string;
  /** Of the session's event ids, the same on every replica. */
  readonly mark: string;
  /** A request that is not in progress here was cancelled. */
  onCancelled(id: RequestId): void;
  onSubscribed(uri: string, isOn: boolean): void;
  /** Events that another replica delivers; without a text the stream is complete. */
  forward(
    streamId: string,
    events: readonly { readonly id: string; readonly text?: string }[],
  ): Promise<void>;
}

/** A stream that another replica began. */
export interface ForeignStream {
  message(text: string, id: string): void;
  end(): void;
}
