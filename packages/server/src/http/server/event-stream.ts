import type { ServerResponse } from "node:http";

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** Events are buffered for this long, so that most answers are sent in one write. */
const HOLD_BACK_MS = 4;
/** A client that stops reading is disconnected at this limit. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** A response of server-sent events. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timer: NodeJS.Timeout;
  /** Undefined once the headers are sent. */
  #held: string | undefined = "";

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#headers = { ...HEADERS, ...headers };
    this.#timer = setTimeout(() => this.release(), HOLD_BACK_MS);
  }

  /** Sends what is buffered, and later events immediately. */
  release(): void {
    clearTimeout(this.#timer);
    if (this.#held === undefined || this.#response.destroyed) return;
    // The client waits for the headers, even if no event follows for a while.
    this.#response.writeHead(200, this.#headers).flushHeaders();
    if (this.#held !== "") this.#response.write(this.#held);
    this.#held = undefined;
  }

  /** A message as JSON. Without an id, the client cannot resume after this event. */
  message(text: string, eventId?: string): void {
    this.write(`event: message\n${eventId === undefined ? "" : `id: ${eventId}\n`}data: ${text}\n\n`);
  }

  write(text: string): void {
    if (this.#held !== undefined) {
      this.#held += text;
      return;
    }
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#response.write(text);
    if (this.#response.writableLength > MAX_UNREAD_BYTES) this.#response.destroy();
  }

  /** A comment that keeps proxies from closing an idle stream. */
  keepAlive(): void {
    if (this.#held === undefined) this.write(": keep-alive\n\n");
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#response.destroyed) return;
    if (this.#held === undefined) {
      this.#response.end();
      return;
    }
    const length = String(Buffer.byteLength(this.#held));
    this.#response.writeHead(200, { ...this.#headers, "content-length": length }).end(this.#held);
    this.#held = undefined;
  }
}
