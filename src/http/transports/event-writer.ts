import type { ServerResponse } from "node:http";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

/** How long events are held back to see whether they are all, so that most answers go out in one piece. */
const HOLD_BACK_MS = 4;
/** A client that reads nothing must not fill our memory. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;

/** Writes server-sent events as an answer. */
export class EventWriter {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timer: NodeJS.Timeout;
  #held: string | undefined = "";

  constructor(response: ServerResponse, sessionId: string) {
    this.#response = response;
    this.#headers = {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      "mcp-session-id": sessionId,
    };
    this.#timer = setTimeout(() => this.release(), HOLD_BACK_MS);
  }

  /** Sends what is held back, and everything from now on at once. */
  release(): void {
    clearTimeout(this.#timer);
    if (this.#held === undefined || this.#response.destroyed) return;
    // A stream may be silent for long, but its client waits for the headers.
    this.#response.writeHead(200, this.#headers).flushHeaders();
    if (this.#held !== "") this.#response.write(this.#held);
    this.#held = undefined;
  }

  message(message: JSONRPCMessage, eventId: string): void {
    this.#write(`event: message\nid: ${eventId}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** A message after which nobody comes back, so that it needs no id. */
  last(message: JSONRPCMessage): void {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** An id to come back with, before there is anything to say. */
  mark(eventId: string): void {
    this.#write(`id: ${eventId}\ndata: \n\n`);
  }

  comment(): void {
    if (this.#held === undefined) this.#write(": keep-alive\n\n");
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

  #write(text: string): void {
    if (this.#held !== undefined) {
      this.#held += text;
      return;
    }
    if (this.#response.destroyed) return;
    this.#response.write(text);
    if (this.#response.writableLength > MOST_UNREAD_BYTES) this.#response.destroy();
  }
}
