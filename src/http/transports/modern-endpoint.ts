import { createMcpHandler } from "@modelcontextprotocol/server";
import { callerInfo, field } from "../auth/principal.ts";
import { type Exchange, full, HttpRefusal, sendRefusal } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import type { HttpLimits } from "../server/options.ts";
import { abortableHead, isEventStream, sendWebResponse } from "../server/web-bridge.ts";
import type { ServerFactory } from "./sessions.ts";

interface ModernOptions extends Pick<HttpLimits, "subscriptions" | "sessionsPerSubject" | "keepAliveMs"> {
  readonly factory: ServerFactory;
  readonly streams: OpenStreams;
}

/** Streamable HTTP since 2026-07-28: every request is self-contained, and each subscription is a stream. */
export function createModernEndpoint(options: ModernOptions) {
  const { factory, streams, keepAliveMs, subscriptions, sessionsPerSubject } = options;
  // The SDK passes the head of a request on to the factory, and nothing else of it.
  const remote = new WeakSet<Request>();
  const isRemote = (head: Request | undefined): boolean => head !== undefined && remote.has(head);
  const requests = createMcpHandler(
    (context) => factory({ ...context, isRemote: isRemote(context.requestInfo) }),
    { legacy: "reject", keepAliveMs },
  );
  // A second handler, because a handler closes everything at once, and subscriptions end before requests do.
  const listening = createMcpHandler(factory, {
    legacy: "reject",
    keepAliveMs,
    maxSubscriptions: subscriptions,
  });

  async function answer(exchange: Exchange, body: unknown): Promise<void> {
    const { request, response, principal } = exchange;
    const head = abortableHead(request, response);
    if (exchange.isRemote) remote.add(head);
    const answered = await requests.fetch(head, { parsedBody: body, ...callerInfo(principal) });
    if (answered.status !== CLOSED_IN_PROGRESS) return sendWebResponse(answered, response);
    return sendRefusal(response, new HttpRefusal(503, "The server is shutting down."), idOf(body));
  }

  async function subscribe({ request, response, principal }: Exchange, body: unknown): Promise<void> {
    if (principal.subject !== undefined && streams.countOf(principal.subject) >= sessionsPerSubject) {
      throw full(
        `You have reached the limit of ${sessionsPerSubject} streams. Close one, or try again later.`,
      );
    }
    const stream = await listening.fetch(abortableHead(request, response), { parsedBody: body });
    if (isEventStream(stream)) streams.add(response, principal);
    return sendWebResponse(stream, response);
  }

  return {
    serve: (exchange: Exchange, body: unknown): Promise<void> =>
      (field(body, "method") === "subscriptions/listen" ? subscribe : answer)(exchange, body),
    /** Tells subscribers that tools, prompts and resources changed. */
    announceChange(): void {
      listening.notify.toolsChanged();
      listening.notify.promptsChanged();
      listening.notify.resourcesChanged();
    },
    /** Tells subscribers to the list of resources that files were added or removed. */
    announceFiles: () => listening.notify.resourcesChanged(),
    announceUpdate: (uri: string) => listening.notify.resourceUpdated(uri),
    /** Ends the subscriptions, but not the requests. */
    endSubscriptions: () => listening.close(),
    async close(): Promise<void> {
      await Promise.all([listening.close(), requests.close()]);
    },
  };
}

export type ModernEndpoint = ReturnType<typeof createModernEndpoint>;

/** The SDK's empty response to a request that it had to drop. */
const CLOSED_IN_PROGRESS = 499;

function idOf(body: unknown): string | number | null {
  const id = field(body, "id");
  return typeof id === "string" || typeof id === "number" ? id : null;
}
