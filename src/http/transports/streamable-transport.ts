import type { ServerResponse } from "node:http";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";
import { EventStream } from "../server/event-stream.ts";
import { RPC } from "../server/exchange.ts";
import { createEventStore } from "./event-store.ts";
import type { SessionTransport } from "./sessions.ts";

const LISTENING = "_GET_stream";
/** From this version on, clients understand an event that only carries an id to resume from. */
const FIRST_WITH_MARKERS = "2025-11-25";

interface Stream {
  readonly id: string;
  /** Requests that are not answered yet. */
  readonly pending: Set<RequestId>;
  /** Undefined while the client is disconnected. */
  events: EventStream | undefined;
}

/**
 * Streamable HTTP up to 2025-11-25, for one session, written straight to Node's responses. Over the SDK's transport a call
 * takes 1.6 times the CPU, which is below our throughput limit, and the stream of a cancelled request never ends.
 */
export class StreamableTransport implements SessionTransport {
  readonly sessionId: string;
  onclose?: () => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #store = createEventStore();
  readonly #streams = new Map<string, Stream>();
  readonly #byRequest = new Map<RequestId, Stream>();
  readonly #keepAlive: NodeJS.Timeout;
  #supported: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
  #lastStream = 0;
  #closed = false;

  constructor(sessionId: string, keepAliveMs: number) {
    this.sessionId = sessionId;
    this.#keepAlive = setInterval(() => {
      for (const { events } of this.#streams.values()) events?.keepAlive();
    }, keepAliveMs).unref();
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#supported = versions;
  }

  isSupported(version: string): boolean {
    return this.#supported.includes(version);
  }

  /** Whether a request has the id of another one that is in progress. */
  isRepeated(messages: readonly JSONRPCMessage[]): boolean {
    const ids = requestIds(messages);
    return ids.some((id, index) => this.#byRequest.has(id) || ids.indexOf(id) !== index);
  }

  /** Handles messages; `response` carries the answers and related notifications. */
  receive(messages: readonly JSONRPCMessage[], response: ServerResponse, version: string): void {
    const ids = requestIds(messages);
    if (ids.length === 0) {
      response.writeHead(202).end();
    } else {
      const stream = this.#open(String(++this.#lastStream), response, ids);
      for (const id of ids) this.#byRequest.set(id, stream);
      if (version >= FIRST_WITH_MARKERS)
        stream.events?.write(`id: ${this.#store.mark(stream.id)}\ndata: \n\n`);
    }
    for (const message of messages) {
      this.onmessage?.(message);
      const cancelled = cancelledId(message);
      // A cancelled request gets no answer that would end its stream.
      if (cancelled !== undefined) this.#settle(cancelled);
    }
  }

  /** Opens the stream for messages that belong to no request; false if it is open already. */
  listen(response: ServerResponse): boolean {
    if (this.#streams.has(LISTENING)) return false;
    this.#open(LISTENING, response, []).events?.release();
    return true;
  }

  /** Resumes a broken stream; false if the event does not belong to this session. */
  resume(response: ServerResponse, lastEventId: string): boolean {
    const replay = this.#store.after(lastEventId);
    if (replay === undefined) return false;
    const old = this.#streams.get(replay.streamId);
    const stream = this.#open(replay.streamId, response, old?.pending ?? []);
    for (const request of stream.pending) this.#byRequest.set(request, stream);
    // The client may notice a broken connection before the server does.
    old?.events?.end();
    stream.events?.release();
    for (const { id, text } of replay.events) stream.events?.message(text, id);
    if (replay.streamId !== LISTENING && stream.pending.size === 0) this.#end(stream);
    return true;
  }

  send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const isAnswer = !("method" in message);
    const related = isAnswer ? message.id : options?.relatedRequestId;
    const stream = related === undefined ? undefined : this.#byRequest.get(related);
    // The request has ended, and its stream with it.
    if (related !== undefined && stream === undefined) return Promise.resolve();
    const { id = LISTENING } = stream ?? {};
    const text = JSON.stringify(message);
    const eventId = this.#store.add(id, text);
    this.#streams.get(id)?.events?.message(text, eventId);
    if (isAnswer && related !== undefined) this.#settle(related);
    return Promise.resolve();
  }

  /** Whether a connected client waits for an answer. */
  isBusy(): boolean {
    return [...this.#streams.values()].some(
      ({ pending, events }) => pending.size > 0 && events !== undefined,
    );
  }

  endListening(): void {
    const stream = this.#streams.get(LISTENING);
    if (stream !== undefined) this.#end(stream);
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    clearInterval(this.#keepAlive);
    const error = { code: RPC.refused, message: "The session ended before the request was answered." };
    for (const stream of [...this.#streams.values()]) {
      for (const id of stream.pending) stream.events?.message(JSON.stringify({ jsonrpc: "2.0", id, error }));
      this.#end(stream);
    }
    this.#byRequest.clear();
    this.onclose?.();
    return Promise.resolve();
  }

  #open(id: string, response: ServerResponse, pending: Iterable<RequestId>): Stream {
    const events = new EventStream(response, { "mcp-session-id": this.sessionId });
    const stream: Stream = { id, pending: new Set(pending), events };
    this.#streams.set(id, stream);
    response.once("close", () => {
      stream.events = undefined;
      // Requests continue, and their answers are stored until the client resumes.
      if (stream.pending.size === 0 && this.#streams.get(id) === stream) this.#streams.delete(id);
    });
    return stream;
  }

  #end(stream: Stream): void {
    this.#streams.delete(stream.id);
    stream.events?.end();
    stream.events = undefined;
  }

  /** Called when a request is answered or cancelled. */
  #settle(id: RequestId): void {
    const stream = this.#byRequest.get(id);
    this.#byRequest.delete(id);
    stream?.pending.delete(id);
    if (stream?.pending.size === 0) this.#end(stream);
  }
}

function requestIds(messages: readonly JSONRPCMessage[]): readonly RequestId[] {
  return messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
