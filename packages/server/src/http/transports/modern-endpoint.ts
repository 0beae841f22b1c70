import type { ServerResponse } from "node:http";
import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  type McpServer,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Fleet } from "#fleet";
import type { SessionContext } from "../../mcp/server/create-server.ts";
import { callerInfo, field } from "../auth/principal.ts";
import { type Exchange, full, HttpRefusal, RPC } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import type { HttpLimits } from "../server/options.ts";
import { abortableHead, isEventStream, requestHead, sendWebResponse } from "../server/web-bridge.ts";
import type { ClientLog } from "./client-log.ts";
import { randomId } from "./sessions.ts";
import { createSubscribers, type SubscriberOptions } from "./subscribers.ts";

interface ModernOptions extends SubscriberOptions, Pick<HttpLimits, "sessionsPerSubject"> {
  readonly streams: OpenStreams;
  readonly clients: ClientLog;
  /** Undefined: this server is the only one. */
  readonly fleet: Fleet | undefined;
}

/** Streamable HTTP since 2026-07-28: every request is self-contained, and each subscription is a stream. */
export function createModernEndpoint(options: ModernOptions) {
  const { factory, streams, clients, keepAliveMs } = options;
  const requests = createMcpHandler(
    (context) => {
      const { session, response } = context.requestInfo as AskedHead;
      const mcp = factory({ ...context, ...session });
      answerDirectly(mcp, response);
      return mcp;
    },
    { legacy: "reject", keepAliveMs },
  );
  const subscribers = createSubscribers(options);

  async function answer(exchange: Exchange, body: unknown): Promise<void> {
    const { request, response, principal } = exchange;
    const client = clientIn(body);
    if (client !== undefined) clients.note(client, principal);
    const { authInfo, ...inProfile } = callerInfo(principal);
    const session = { isRemote: exchange.isRemote, ...inProfile };
    const head: AskedHead = Object.assign(requestHead(request), { session, response });
    const answered = await requests.fetch(head, {
      parsedBody: body,
      ...(authInfo === undefined ? {} : { authInfo }),
    });
    if (answered === ANSWERED) return undefined;
    if (answered.status !== CLOSED_IN_PROGRESS) return sendWebResponse(answered, response);
    throw new HttpRefusal(503, "The server is shutting down.", {}, RPC.refused, idOf(body));
  }

  async function subscribe({ request, response, principal }: Exchange, body: unknown): Promise<void> {
    await occupyPlace(options, response, principal.subject);
    const stream = await subscribers
      .of(principal.profile)
      .fetch(abortableHead(request, response), { parsedBody: body });
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

/** The SDK passes the head of a request on to the factory, and nothing else of it. */
interface AskedHead extends Request {
  readonly session: Pick<SessionContext, "isRemote" | "profile">;
  readonly response: ServerResponse;
}

/** What the SDK's transport of a single request has besides. */
interface RequestTransport extends Transport {
  settleResponse(response: Response): void;
}

/** Stands for the response to a request that is answered already. */
const ANSWERED = {} as Response;

/**
 * Sends the result of a request as the SDK would, unless a stream has begun, without making a web response of it first: that
 * takes longer than loading a skill. Errors have a status, which the SDK decides. A client that disconnects ends the request,
 * without the signal that the SDK would listen to.
 */
function answerDirectly(mcp: McpServer, response: ServerResponse): void {
  const connect = mcp.connect.bind(mcp);
  mcp.connect = (given) => {
    const transport = given as RequestTransport;
    const send = transport.send.bind(transport);
    let isStream = false;
    transport.send = async (message, options) => {
      isStream ||= "method" in message;
      if (isStream || !("result" in message)) return send(message, options);
      sendResult(response, JSON.stringify(message));
      transport.settleResponse(ANSWERED);
      // The handler that made it is still on the way back.
      setImmediate(() => void transport.close());
      return undefined;
    };
    response.once("close", () => void transport.close());
    return connect(transport);
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

/** What the request says of its client. */
function clientIn(body: unknown): { readonly name: string; readonly version?: string } | undefined {
  const info = field(field(field(body, "params"), "_meta"), CLIENT_INFO_META_KEY);
  const [name, version] = [field(info, "name"), field(info, "version")];
  if (typeof name !== "string") return undefined;
  return typeof version === "string" ? { name, version } : { name };
}

function idOf(body: unknown): string | number | null {
  const id = field(body, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}
