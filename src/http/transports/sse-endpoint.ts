import type { ServerResponse } from "node:http";
import { isInitializeRequest, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { EventStream } from "../server/event-stream.ts";
import { type Exchange, HttpRefusal } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import type { HttpLimits } from "../server/options.ts";
import { requestHead } from "../server/web-bridge.ts";
import { parseMessages, unknownSession } from "./messages.ts";
import type { Sessions, SessionTransport } from "./sessions.ts";

export const MESSAGES_PATH = "/messages";

interface SseOptions extends Pick<HttpLimits, "keepAliveMs" | "uninitialisedMs"> {
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  /** The path prefix that a proxy strips, with a leading slash; usually empty. */
  readonly prefix: string;
}

/** HTTP+SSE, for clients of protocol 2024-11-05. Everything that serves them is in this file. */
export function createSseEndpoint({ sessions, streams, keepAliveMs, uninitialisedMs, prefix }: SseOptions) {
  return {
    /** Opens the stream; its first event contains the address for messages. */
    async open(exchange: Exchange): Promise<void> {
      const { response, principal } = exchange;
      const session = await sessions.open(exchange, (id) => {
        const endpoint = `${prefix}${MESSAGES_PATH}?sessionId=${id}`;
        return new SseTransport(response, { sessionId: id, endpoint, keepAliveMs, uninitialisedMs });
      });
      // In use for as long as the stream is open; the session ends with it.
      session.enter();
      streams.add(response, principal);
    },

    /** Handles messages; the answers are sent on the stream. */
    receive(exchange: Exchange, body: unknown): void {
      const { request, response, query, principal } = exchange;
      const id = query.get("sessionId") ?? "";
      if (id === "") throw new HttpRefusal(400, "Bad Request: ?sessionId=<id> is missing.");
      const session = sessions.find(id, principal.subject, SseTransport);
      if (session === undefined) throw unknownSession();
      const messages = parseMessages(exchange, body);
      response.writeHead(202).end("Accepted");
      for (const message of messages) session.transport.receive(message, requestHead(request));
    },
  };
}

interface SseTransportOptions extends Pick<HttpLimits, "keepAliveMs" | "uninitialisedMs"> {
  readonly sessionId: string;
  readonly endpoint: string;
}

/** Our own, because the SDK only has it in `@modelcontextprotocol/server-legacy`, with 79 more packages. */
class SseTransport implements SessionTransport {
  readonly sessionId: string;
  onclose?: () => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #response: ServerResponse;
  readonly #events: EventStream;
  readonly #endpoint: string;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #uninitialised: NodeJS.Timeout;
  readonly #pending = new Set<string | number>();
  #closed = false;

  constructor(response: ServerResponse, options: SseTransportOptions) {
    this.sessionId = options.sessionId;
    this.#response = response;
    this.#events = new EventStream(response);
    this.#endpoint = options.endpoint;
    this.#keepAlive = setInterval(() => this.#events.keepAlive(), options.keepAliveMs).unref();
    this.#uninitialised = setTimeout(() => void this.close(), options.uninitialisedMs).unref();
  }

  start(): Promise<void> {
    this.#response.once("close", () => void this.close());
    this.#events.write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
    this.#events.release();
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#pending.delete(message.id);
    this.#events.message(JSON.stringify(message));
    return Promise.resolve();
  }

  receive(message: JSONRPCMessage, request: Request): void {
    if (isInitializeRequest(message)) clearTimeout(this.#uninitialised);
    if ("method" in message && "id" in message) this.#pending.add(message.id);
    this.onmessage?.(message, { request });
  }

  isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** Answers share the stream with notifications, so it stays open. */
  endListening(): void {}

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    clearInterval(this.#keepAlive);
    clearTimeout(this.#uninitialised);
    this.#events.end();
    this.onclose?.();
    return Promise.resolve();
  }
}
