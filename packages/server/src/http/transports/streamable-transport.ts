import type { ServerResponse } from "node:http";
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";
import { type ClientMessage, cancelledId, requestIds, subscriptionIn } from "../../mcp/server/pipeline.ts";
import { requestIdOf } from "../server/access-log.ts";
import { EventStream } from "../server/event-stream.ts";
import { RPC } from "../server/exchange.ts";
import { createEventStore, type EventPosition } from "./event-store.ts";
import type { Session, SessionTransport } from "./sessions.ts";
import type { ForeignStream, Sharing } from "./sharing.ts";

/** The stream for messages that belong to no request. */
export const LISTENING = "_GET_stream";
/** From this version on, clients understand an event that only carries an id to resume from. */
const FIRST_WITH_MARKERS = "2025-11-25";

export type StreamableSession = Session<StreamableTransport>;

interface Stream {
  readonly id: string;
  /** Requests that are not answered yet. */
  readonly pending: Set<RequestId>;
  /** Undefined while the client is disconnected. */
  events: EventStream | undefined;
  /** Another replica delivers its events. */
  isForwarded?: boolean;
}

/**
 * Streamable HTTP up to 2025-11-25, for one session, written straight to Node's responses. Over the SDK's transport a call
 * takes 1.6 times the CPU, which is below our throughput limit, and the stream of a cancelled request never ends.
 */
export class StreamableTransport implements SessionTransport {
  readonly sessionId: string;
  onclose?: () => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #store: ReturnType<typeof createEventStore>;
  readonly #sharing: Sharing | undefined;
  readonly #streams = new Map<string, Stream>();
  readonly #byRequest = new Map<RequestId, Stream>();
  readonly #keepAlive: NodeJS.Timeout;
  #supported: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
  #lastStream = 0;
  #closed = false;
  /** Whether messages that belong to no request are this replica's to deliver. */
  #holdsListening: boolean;
  /** Streams whose client disconnected before the end. */
  readonly #broken = new Set<string>();
  readonly #subscribing = new Map<RequestId, { readonly uri: string; readonly isOn: boolean }>();
  readonly #replayed = new Map<RequestId, () => void>();

  constructor(sessionId: string, keepAliveMs: number, sharing?: Sharing) {
    this.sessionId = sessionId;
    this.#sharing = sharing;
    this.#store = createEventStore(undefined, sharing);
    this.#holdsListening = sharing === undefined;
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
    const info: ClientMessage = { httpRequestId: requestIdOf(response.req) };
    for (const message of messages) this.#take(message, info);
  }

  #take(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const subscribed = this.#sharing && subscriptionIn(message);
    if (subscribed !== undefined) this.#subscribing.set(subscribed.id, subscribed);
    const cancelled = cancelledId(message);
    if (cancelled !== undefined && !this.#byRequest.has(cancelled)) this.#sharing?.onCancelled(cancelled);
    this.onmessage?.(message, extra);
    // A cancelled request gets no answer that would end its stream.
    if (cancelled !== undefined) this.#settle(cancelled);
  }

  /** Cancels a request if it is in progress here; another replica received the notification. */
  cancel(id: RequestId): void {
    if (!this.#byRequest.has(id)) return;
    this.#take({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
  }

  /** Handles a message that the client sent to another replica. Resolves when it is answered; the answer is dropped. */
  async replay(message: JSONRPCMessage): Promise<void> {
    const answered =
      "method" in message && "id" in message
        ? new Promise<void>((resolve) => {
            this.#replayed.set(message.id, resolve);
          })
        : undefined;
    this.onmessage?.(message);
    await answered;
  }

  /** Opens the stream for messages that belong to no request; false if it is open already. */
  listen(response: ServerResponse): boolean {
    if (this.#streams.has(LISTENING)) return false;
    this.#holdsListening = true;
    this.#open(LISTENING, response, []).events?.release();
    return true;
  }

  /** Resumes a broken stream; false if the event does not belong to this session. */
  resume(response: ServerResponse, lastEventId: string): boolean {
    const replay = this.#store.after(lastEventId);
    if (replay === undefined) return false;
    if (replay.streamId === LISTENING) this.#holdsListening = true;
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

  /** The stream of another replica that an event id names. */
  foreignPosition(lastEventId: string): EventPosition | undefined {
    const position = this.#store.positionOf(lastEventId);
    return position?.replica === this.#sharing?.replica ? undefined : position;
  }

  /** Gives up a stream, which another replica delivers from now on. Returns the events that its client missed. */
  handOver(position: Pick<EventPosition, "streamId" | "sequence">) {
    const stream = this.#streams.get(position.streamId);
    const missed = this.#store.since(position);
    const isOpen = stream !== undefined && stream.pending.size > 0;
    stream?.events?.end();
    if (stream !== undefined) stream.events = undefined;
    if (position.streamId === LISTENING) this.#stopHolding();
    else if (isOpen) stream.isForwarded = true;
    return isOpen ? missed : [...missed, { id: this.#store.end(position.streamId) }];
  }

  #stopHolding(): void {
    this.#streams.delete(LISTENING);
    this.#holdsListening = false;
  }

  /** Sends an event of another replica's stream for messages that belong to no request. */
  deliver(text: string, id: string): void {
    this.#streams.get(LISTENING)?.events?.message(text, id);
  }

  isListening(): boolean {
    return this.#streams.get(LISTENING)?.events !== undefined;
  }

  /** Continues a stream of another replica, which sends the events. */
  continueForeign(response: ServerResponse, { replica, streamId }: EventPosition): ForeignStream {
    const stream = this.#open(`${replica}~${streamId}`, response, []);
    stream.events?.release();
    return {
      message: (text, id) => stream.events?.message(text, id),
      end: () => this.#end(stream),
    };
  }

  /** Hands the events of broken streams to whichever replica their clients come to. */
  async spill(): Promise<void> {
    const broken = [...this.#broken];
    this.#broken.clear();
    await Promise.all(
      broken.map(async (streamId) => {
        const events = this.#store.since({ streamId, sequence: 0 });
        await this.#sharing?.forward(streamId, [...events, { id: this.#store.end(streamId) }]);
      }),
    );
  }

  send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const isAnswer = !("method" in message);
    if (isAnswer && message.id !== undefined) this.#noteAnswer(message.id, "result" in message);
    const related = isAnswer ? message.id : options?.relatedRequestId;
    const stream = related === undefined ? undefined : this.#byRequest.get(related);
    // The request has ended, and its stream with it.
    if (related !== undefined && stream === undefined) return Promise.resolve();
    const { id = LISTENING } = stream ?? {};
    // The replica with the stream sends its own.
    if (id === LISTENING && !this.#holdsListening) return Promise.resolve();
    const text = JSON.stringify(message);
    const eventId = this.#store.add(id, text);
    this.#streams.get(id)?.events?.message(text, eventId);
    if (stream?.isForwarded === true) void this.#sharing?.forward(id, [{ id: eventId, text }]);
    if (isAnswer && related !== undefined) this.#settle(related);
    return Promise.resolve();
  }

  #noteAnswer(id: RequestId, isResult: boolean): void {
    this.#replayed.get(id)?.();
    this.#replayed.delete(id);
    const subscribed = this.#subscribing.get(id);
    this.#subscribing.delete(id);
    if (subscribed !== undefined && isResult) this.#sharing?.onSubscribed(subscribed.uri, subscribed.isOn);
  }

  /** Whether a client waits for an answer: a connected one, or one that may ask another replica for it. */
  isBusy(): boolean {
    return [...this.#streams.values()].some(
      ({ pending, events }) => pending.size > 0 && (events !== undefined || this.#sharing !== undefined),
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
      const isCut = stream.pending.size > 0 || !response.writableFinished;
      if (this.#sharing !== undefined && isCut) this.#broken.add(id);
      // Requests continue, and their answers are stored until the client resumes.
      if (stream.pending.size === 0 && this.#streams.get(id) === stream) this.#streams.delete(id);
    });
    return stream;
  }

  #end(stream: Stream): void {
    this.#streams.delete(stream.id);
    stream.events?.end();
    stream.events = undefined;
    if (stream.isForwarded === true)
      void this.#sharing?.forward(stream.id, [{ id: this.#store.end(stream.id) }]);
  }

  /** Called when a request is answered or cancelled. */
  #settle(id: RequestId): void {
    const stream = this.#byRequest.get(id);
    this.#byRequest.delete(id);
    stream?.pending.delete(id);
    if (stream?.pending.size === 0) this.#end(stream);
  }
}
