import type { ServerResponse } from "node:http";
import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";
import { RPC } from "../server/reply.ts";
import { EventWriter } from "./event-writer.ts";

/** Streamable HTTP up to 2025-11-25, for one session, written straight to Node's responses. */
export interface StreamableTransport extends Transport {
  readonly sessionId: string;
  isSupported(version: string): boolean;
  /** Why a message cannot be taken now; undefined when it can. */
  refuses(messages: readonly JSONRPCMessage[]): string | undefined;
  /** Takes messages; `response` carries the answers, and what comes before them. */
  receive(messages: readonly JSONRPCMessage[], response: ServerResponse, version: string): Promise<void>;
  /** Opens the stream of what belongs to no request; false when there is one already. */
  listen(response: ServerResponse): boolean;
  /** Goes on with a stream that broke; false when the id is not one of this session. */
  resume(response: ServerResponse, lastEventId: string): Promise<boolean>;
  endListening(): void;
  /** Whether a client that is there waits for an answer. */
  isBusy(): boolean;
  keepAlive(): void;
}

const LISTENING = "_GET_stream";
/** From here on clients understand an event that only carries an id to come back with. */
const FIRST_WITH_MARKERS = "2025-11-25";

interface Stream {
  readonly id: string;
  /** Requests that are not answered yet. */
  readonly owed: Set<RequestId>;
  writer: EventWriter | undefined;
}

export function createStreamableTransport(sessionId: string, events: EventStore): StreamableTransport {
  let supported: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
  let closed = false;
  let lastStream = 0;
  const streams = new Map<string, Stream>();
  const byRequest = new Map<RequestId, Stream>();

  function open(id: string, response: ServerResponse, owed: Iterable<RequestId>): Stream {
    const stream: Stream = { id, owed: new Set(owed), writer: undefined };
    streams.set(id, stream);
    attach(stream, response);
    return stream;
  }

  function attach(stream: Stream, response: ServerResponse): void {
    const writer = new EventWriter(response, sessionId);
    stream.writer = writer;
    response.once("close", () => {
      if (stream.writer !== writer) return;
      stream.writer = undefined;
      // Requests go on, and their answers wait for the client to come back.
      if (stream.owed.size === 0) streams.delete(stream.id);
    });
  }

  function end(stream: Stream): void {
    streams.delete(stream.id);
    const { writer } = stream;
    stream.writer = undefined;
    writer?.end();
  }

  /** An answer was sent, or will never be. */
  function settle(id: RequestId): void {
    const stream = byRequest.get(id);
    byRequest.delete(id);
    stream?.owed.delete(id);
    if (stream !== undefined && stream.owed.size === 0) end(stream);
  }

  const transport: StreamableTransport = {
    sessionId,
    start: () => Promise.resolve(),
    setSupportedProtocolVersions(versions) {
      supported = versions;
    },
    isSupported: (version) => supported.includes(version),
    refuses(messages) {
      const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
      const twice = ids.some((id, index) => byRequest.has(id) || ids.indexOf(id) !== index);
      return twice ? "Invalid Request: a request with this id is under way." : undefined;
    },
    async receive(messages, response, version) {
      const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
      if (ids.length === 0) {
        response.writeHead(202).end();
      } else {
        const stream = open(String(++lastStream), response, ids);
        for (const id of ids) byRequest.set(id, stream);
        if (version >= FIRST_WITH_MARKERS) stream.writer?.mark(await events.storeEvent(stream.id, MARKER));
      }
      for (const message of messages) {
        transport.onmessage?.(message);
        const cancelled = cancelledId(message);
        // Nothing answers a request that was taken back, so nothing would end its stream.
        if (cancelled !== undefined) settle(cancelled);
      }
    },
    listen(response) {
      if (streams.has(LISTENING)) return false;
      open(LISTENING, response, []).writer?.release();
      return true;
    },
    async resume(response, lastEventId) {
      const id = await events.getStreamIdForEventId?.(lastEventId);
      if (id === undefined) return false;
      const stream = streams.get(id);
      if (stream !== undefined) {
        // The client knows better than we do that its old connection is gone.
        const { writer: old } = stream;
        attach(stream, response);
        old?.end();
      }
      const { writer } = stream ?? open(id, response, []);
      writer?.release();
      await events.replayEventsAfter(lastEventId, {
        send: (eventId, message) => {
          writer?.message(message, eventId);
          return Promise.resolve();
        },
      });
      const current = streams.get(id);
      if (id !== LISTENING && current !== undefined && current.owed.size === 0) end(current);
      return true;
    },
    async send(message, options) {
      const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
      const related = isAnswer ? message.id : options?.relatedRequestId;
      const stream = related === undefined ? undefined : byRequest.get(related);
      // What belongs to a request that is over has nobody to go to.
      if (related !== undefined && stream === undefined) return;
      const streamId = stream?.id ?? LISTENING;
      const eventId = await events.storeEvent(streamId, message);
      streams.get(streamId)?.writer?.message(message, eventId);
      if (isAnswer && related !== undefined) settle(related);
    },
    endListening() {
      const stream = streams.get(LISTENING);
      if (stream !== undefined) end(stream);
    },
    isBusy: () => [...streams.values()].some(({ owed, writer }) => owed.size > 0 && writer !== undefined),
    keepAlive() {
      for (const { writer } of streams.values()) writer?.comment();
    },
    close() {
      if (closed) return Promise.resolve();
      closed = true;
      for (const stream of [...streams.values()]) {
        // An empty stream would leave its client to guess.
        for (const id of stream.owed) stream.writer?.last(unanswered(id));
        end(stream);
      }
      byRequest.clear();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}

/** An event without a message. */
const MARKER = {} as JSONRPCMessage;

function unanswered(id: RequestId): JSONRPCMessage {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: RPC.refused, message: "The session ended before the answer." },
  };
}

function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const id: unknown = message.params?.["requestId"];
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
