import type { ServerResponse } from "node:http";
import { isInitializeRequest, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import type { Fleet } from "#fleet";
import { type ClientMessage, isRequest } from "../../mcp/server/pipeline.ts";
import { requestIdOf } from "../server/access-log.ts";
import { EventStream } from "../server/event-stream.ts";
import { type Exchange, full, HttpRefusal } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import type { HttpLimits } from "../server/options.ts";
import { parseMessages, unknownSession } from "./messages.ts";
import { randomId, type Sessions, type SessionTransport, tooManySessions } from "./sessions.ts";

export const MESSAGES_PATH = "/messages";

interface SseOptions extends Pick<HttpLimits, "keepAliveMs" | "uninitialisedMs" | "sessionsPerSubject"> {
  readonly sessions: Sessions;
  readonly streams: OpenStreams;
  /** The path prefix that a proxy strips, with a leading slash; usually empty. */
  readonly prefix: string;
  /** Undefined: this server is the only one. */
  readonly fleet: Fleet | undefined;
}

/** HTTP+SSE, for clients of protocol 2024-11-05. Everything that serves them is in this file. */
export function createSseEndpoint(options: SseOptions) {
  const { sessions, streams, keepAliveMs, uninitialisedMs, prefix, fleet } = options;
  const bus = fleet?.bus;
  const find = (id: string, subject: string | undefined) => sessions.find(id, subject, SseTransport);
  bus?.on(RELAYED, (data) => {
    const { sessionId, subject, messages } = data as RelayedMessages;
    const session = find(sessionId, subject ?? undefined);
    session?.transport.receive(messages, { httpRequestId: undefined });
    return session !== undefined;
  });

  return {
    /** Opens the stream; its first event contains the address for messages. */
    async open(exchange: Exchange): Promise<void> {
      const { response, principal } = exchange;
      // The session lives where its stream is; the id says where that is.
      const id = bus === undefined ? randomId() : `${bus.replica}.${randomId()}`;
      const endpoint = `${prefix}${MESSAGES_PATH}?sessionId=${id}`;
      await occupyPlace(options, exchange, id);
      if (response.destroyed) return;
      const session = await sessions.open(exchange, {
        id,
        create: () => new SseTransport(response, { sessionId: id, endpoint, keepAliveMs, uninitialisedMs }),
      });
      // In use for as long as the stream is open; the session ends with it.
      session.enter();
      streams.add(response, principal);
    },

    /** Handles messages; the answers are sent on the stream. */
    async receive(exchange: Exchange, body: unknown): Promise<void> {
      const { request, response, query, principal } = exchange;
      const id = query.get("sessionId") ?? "";
      if (id === "") throw new HttpRefusal(400, "Bad Request: ?sessionId=<id> is missing.");
      const session = find(id, principal.subject);
      if (session === undefined && bus === undefined) throw unknownSession();
      const messages = parseMessages(exchange, body);
      if (session === undefined)
        await relay(bus, { sessionId: id, subject: principal.subject ?? null, messages });
      response.writeHead(202).end("Accepted");
      session?.transport.receive(messages, { httpRequestId: requestIdOf(request) });
    },
  };
}

/** Takes one of the places for sessions that the caller has on all replicas, until the stream ends. */
async function occupyPlace(
  { fleet, sessionsPerSubject: most }: SseOptions,
  { response, principal: { subject } }: Exchange,
  id: string,
): Promise<void> {
  if (fleet === undefined || subject === undefined) return;
  const release = await fleet.sseSlots.occupy(subject, fleet.keyOf(id), most);
  if (release === undefined) throw tooManySessions(most);
  if (response.destroyed) release();
  else response.once("close", release);
}

const RELAYED = "sse";

/** Messages for a session whose stream another replica has. */
interface RelayedMessages {
  readonly sessionId: string;
  /** Who sent them; JSON has no undefined. */
  readonly subject: string | null;
  readonly messages: readonly JSONRPCMessage[];
}

/** Hands messages to the replica that has the stream, and waits until it took them. */
async function relay(
  bus: Fleet["bus"] | undefined,
  { sessionId, subject, messages }: RelayedMessages,
): Promise<void> {
  const [, replica] = /^([\w-]+)\.[\w-]+$/.exec(sessionId) ?? [];
  if (bus === undefined || replica === undefined || replica === bus.replica) throw unknownSession();
  const answer = await bus.ask(replica, RELAYED, { sessionId, subject, messages });
  // The message may have arrived: whoever sends it again might do it twice.
  if (answer.kind === "silent")
    throw full("The replica that has this session's stream does not answer. Try again later.");
  if (answer.kind === "gone" || answer.value !== true) throw unknownSession();
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

  receive(messages: readonly JSONRPCMessage[], info: ClientMessage): void {
    for (const message of messages) {
      if (isInitializeRequest(message)) clearTimeout(this.#uninitialised);
      if (isRequest(message)) this.#pending.add(message.id);
      this.onmessage?.(message, info);
    }
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
