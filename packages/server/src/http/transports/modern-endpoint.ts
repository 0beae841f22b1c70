import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  type McpServer,
  SdkError,
  SdkErrorCode,
} from "@modelcontextprotocol/server";
import type { Fleet } from "#fleet";
import type { SessionContext } from "../../mcp/server/create-server.ts";
import { clientInMeta, fieldsOf, MODERN_VERSION } from "../../mcp/server/pipeline.ts";
import { callerInfo, field } from "../auth/principal.ts";
import { requestIdOf } from "../server/access-log.ts";
import { type Exchange, full, HttpRefusal, RPC } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import type { HttpLimits } from "../server/options.ts";
import { abortedWith, isEventStream, sendWebResponse, webRequest } from "../server/web-bridge.ts";
import type { ClientLog } from "./client-log.ts";
import { ExchangeTransport } from "./exchange-transport.ts";
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
  const subscribers = createSubscribers(options);
  const open = new Set<McpServer>();

  async function answer(exchange: Exchange, body: unknown): Promise<void> {
    const { request, response, principal, isRemote } = exchange;
    const client = clientInMeta(fieldsOf(field(field(body, "params"), "_meta")));
    if (client !== undefined) clients.note(client, principal);
    const session = { isRemote, ...callerInfo(principal) };
    const plain = plainRequest(request, body);
    if (plain === undefined) return leaveToSdk(exchange, body, session);
    const { message, classification } = plain;
    const mcp = factory({ era: "modern", method: message.method, ...session });
    const transport = new ExchangeTransport(response, { classification, keepAliveMs });
    open.add(mcp);
    // The request ends when its client disconnects.
    response.once("close", () => {
      open.delete(mcp);
      void mcp.close();
    });
    await mcp.connect(transport);
    const answered = await transport
      .serve(message, { httpRequestId: requestIdOf(request) })
      .catch((error: unknown) => {
        if (!(error instanceof SdkError) || error.code !== SdkErrorCode.ConnectionClosed) throw error;
        throw new HttpRefusal(503, "The server is shutting down.", {}, RPC.refused, message.id);
      });
    if (answered !== undefined) await sendWebResponse(answered, response);
    return undefined;
  }

  /** Answers what is not plain, as a rule with the error that the SDK has for it. */
  async function leaveToSdk(
    { request, response }: Exchange,
    body: unknown,
    session: Pick<SessionContext, "authInfo" | "profile" | "isRemote">,
  ): Promise<void> {
    const { authInfo } = session;
    const sdk = createMcpHandler((context) => factory({ ...context, ...session }), {
      legacy: "reject",
      keepAliveMs,
    });
    const answered = await sdk.fetch(webRequest(request, abortedWith(response)), {
      parsedBody: body,
      ...(authInfo === undefined ? {} : { authInfo }),
    });
    return sendWebResponse(answered, response);
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
      await Promise.all([subscribers.close(), ...Array.from(open, (mcp) => mcp.close())]);
    },
  };
}

/** These name what they are about in a header, too. */
const NAMED: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** A request that the SDK would serve, with the headers that repeat its parts; undefined: the SDK has to look at it. */
function plainRequest({ headers }: Exchange["request"], body: unknown) {
  const { "mcp-protocol-version": version, "mcp-method": method, "mcp-name": name } = headers;
  if (version !== MODERN_VERSION || typeof method !== "string" || method.startsWith("tasks/"))
    return undefined;
  if (!isJsonContentType(headers["content-type"])) return undefined;
  const key = Object.hasOwn(NAMED, method) ? NAMED[method] : undefined;
  const named = key === undefined ? undefined : field(field(body, "params"), key);
  if (named !== name || (typeof name === "string" && name.startsWith("=?"))) return undefined;
  const route = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: MODERN_VERSION,
    mcpMethodHeader: method,
    body,
  });
  return route.kind === "modern" && route.messageKind === "request" ? route : undefined;
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
