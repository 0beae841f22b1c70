import type { ServerResponse } from "node:http";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Fleet } from "#fleet";
import type { SessionContext } from "../../mcp/server/create-server.ts";
import { clientInMeta, fieldsOf } from "../../mcp/server/message-parts.ts";
import type { Step } from "../../mcp/server/pipeline.ts";
import { callerInfo, field } from "../auth/principal.ts";
import { type Exchange, full, HttpRefusal, RPC } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import type { HttpLimits } from "../server/options.ts";
import { abortedWith, isEventStream, sendWebResponse, webRequest } from "../server/web-bridge.ts";
import type { ClientLog } from "./client-log.ts";
import { randomId } from "./sessions.ts";
import { createSubscribers, type SubscriberOptions } from "./subscribers.ts";

interface ModernOptions extends SubscriberOptions, Pick<HttpLimits, "sessionsPerSubject"> {
  readonly streams: OpenStreams;
  readonly clients: ClientLog;
  /** Undefined: this server is the only one. */
  readonly fleet: Fleet | undefined;
}

/** What is known of a request besides what the SDK reads. */
interface Asked extends Pick<SessionContext, "isRemote" | "profile"> {
  readonly response: ServerResponse;
}

/** Streamable HTTP since 2026-07-28: every request is self-contained, and each subscription is a stream. */
export function createModernEndpoint(options: ModernOptions) {
  const { factory, streams, clients, keepAliveMs } = options;
  const asked = new WeakMap<Request, Asked>();
  const requests = createMcpHandler(
    (context) => {
      const known = context.requestInfo && asked.get(context.requestInfo);
      if (known === undefined) return factory(context);
      const { response, ...session } = known;
      const mcp = factory({ ...context, ...session, outermost: answerDirectly(response, () => mcp.close()) });
      // The request ends when its client disconnects.
      response.once("close", () => void mcp.close());
      return mcp;
    },
    { legacy: "reject", keepAliveMs },
  );
  const subscribers = createSubscribers(options);

  async function answer(exchange: Exchange, body: unknown): Promise<void> {
    const { response, principal, isRemote } = exchange;
    const client = clientInMeta(fieldsOf(field(field(body, "params"), "_meta")));
    if (client !== undefined) clients.note(client, principal);
    const { authInfo, ...inProfile } = callerInfo(principal);
    const request = webRequest(exchange.request);
    asked.set(request, { isRemote, ...inProfile, response });
    const answered = await requests.fetch(request, {
      parsedBody: body,
      ...(authInfo === undefined ? {} : { authInfo }),
    });
    if (response.headersSent) return undefined;
    if (answered.status !== CLOSED_IN_PROGRESS) return sendWebResponse(answered, response);
    throw new HttpRefusal(503, "The server is shutting down.", {}, RPC.refused, idOf(body));
  }

  async function subscribe({ request, response, principal }: Exchange, body: unknown): Promise<void> {
    await occupyPlace(options, response, principal.subject);
    const stream = await subscribers
      .of(principal.profile)
      .fetch(webRequest(request, abortedWith(response)), { parsedBody: body });
    if (isEventStream(stream)) streams.add(response, principal);
    return sendWebResponse(stream, response);
  }

  return {
    serve: (exchange: Exchange, body: unknown): Promise<void> =>
      (field(body, "method") === "subscriptions/listen" ? subscribe : answer)(exchange, body),
    /** Ends the subscriptions, but not the requests. */
    endSubscriptions: () => subscribers.close(),
    async close(): Promise<void> {
      await Promise.all([subscribers.close(), requests.close()]);
    },
  };
}

/**
 * Sends the result of a request as the SDK would, unless a stream has begun, without making a web response of it first: that
 * takes longer than loading a skill. Errors have a status, which the SDK decides.
 */
function answerDirectly(response: ServerResponse, close: () => Promise<void>): Step {
  let isStream = false;
  return {
    async send(message, options, next) {
      isStream ||= "method" in message;
      if (isStream || !("result" in message)) return next(message, options);
      sendResult(response, JSON.stringify(message));
      // The handler that made it is still on the way back.
      setImmediate(() => void close());
      return undefined;
    },
  };
}

function sendResult(response: ServerResponse, text: string): void {
  if (response.destroyed) return;
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(200, headers).end(text);
}

/** Takes one of the places for streams that the caller has here and on all replicas, until the response ends. */
async function occupyPlace(
  { streams, fleet, sessionsPerSubject: most }: ModernOptions,
  response: Exchange["response"],
  subject: string | undefined,
): Promise<void> {
  if (subject === undefined) return;
  const release =
    streams.countOf(subject) >= most
      ? undefined
      : fleet === undefined
        ? () => {}
        : await fleet.subscriptionSlots.occupy(subject, randomId(), most);
  if (release === undefined)
    throw full(`You have reached the limit of ${most} streams. Close one, or try again later.`);
  if (response.destroyed) release();
  else response.once("close", release);
}

export type ModernEndpoint = ReturnType<typeof createModernEndpoint>;

/** The SDK's empty response to a request that it had to drop. */
const CLOSED_IN_PROGRESS = 499;

function idOf(body: unknown): string | number | null {
  const id = field(body, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}
