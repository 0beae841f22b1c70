import { createMcpHandler, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { callerInfo } from "../auth/caller-info.ts";
import type { Exchange } from "../server/exchange.ts";
import type { OpenStreams } from "../server/open-streams.ts";
import { RPC, sendFull, sendRpcError } from "../server/reply.ts";
import { isEventStream, sendWebResponse } from "../server/web-bridge.ts";
import { answerDirectly, sendResult } from "./direct-answer.ts";
import type { ServerFactory } from "./sessions.ts";

export interface ModernOptions {
  readonly factory: ServerFactory;
  readonly streams: OpenStreams;
  readonly subscriptions: number;
  readonly subscriptionsPerSubject: number;
  readonly keepAliveMs: number;
}

/** Streamable HTTP since 2026-07-28: every request describes itself, and subscriptions are streams of their own. */
export interface ModernEndpoint {
  serve(exchange: Exchange, webRequest: Request, body: unknown): Promise<void>;
  /** Tells everyone who subscribed that the lists changed. */
  announceChange(): void;
  /** Tells those who subscribed to the list of resources that files came or went. */
  announceFiles(): void;
  /** Tells those who subscribed to a resource that it changed. */
  announceUpdate(uri: string): void;
  /** Ends the subscriptions, and leaves requests alone. */
  endSubscriptions(): Promise<void>;
  close(): Promise<void>;
}

export function createModernEndpoint(options: ModernOptions): ModernEndpoint {
  const { factory, streams, keepAliveMs, subscriptions, subscriptionsPerSubject } = options;
  const direct = new WeakMap<Request, (message: JSONRPCMessage) => void>();
  const requests = createMcpHandler(
    (context) => {
      const mcp = factory(context);
      const onResult = context.requestInfo === undefined ? undefined : direct.get(context.requestInfo);
      if (onResult !== undefined) answerDirectly(mcp, onResult);
      return mcp;
    },
    { legacy: "reject", keepAliveMs },
  );
  // Apart from the others, because a handler ends everything at once or nothing.
  const listening = createMcpHandler(factory, {
    legacy: "reject",
    keepAliveMs,
    maxSubscriptions: subscriptions,
  });

  /** Resolves when the answer is sent, either way. */
  const answer = ({ response, principal }: Exchange, webRequest: Request, body: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      direct.set(webRequest, (message) => {
        sendResult(response, message);
        resolve();
      });
      requests
        .fetch(webRequest, { parsedBody: body, ...callerInfo(principal) })
        .then((theirs) => {
          if (theirs.status !== CLOSED_UNDER_WAY) return sendWebResponse(theirs, response);
          return sendRpcError(response, 503, RPC.refused, "The server is shutting down.", {}, idOf(body));
        })
        .then(resolve, reject);
    });

  return {
    async serve(exchange, webRequest, body) {
      const { response, principal } = exchange;
      if (!isSubscription(body)) return answer(exchange, webRequest, body);
      if (principal.subject !== undefined && streams.countOf(principal.subject) >= subscriptionsPerSubject) {
        return sendFull(response, "You have as many streams as you may. Close one, or try again later.");
      }
      const stream = await listening.fetch(webRequest, { parsedBody: body });
      if (isEventStream(stream)) streams.add(response, principal);
      return sendWebResponse(stream, response);
    },
    announceChange() {
      listening.notify.toolsChanged();
      listening.notify.promptsChanged();
      listening.notify.resourcesChanged();
    },
    announceFiles: () => listening.notify.resourcesChanged(),
    announceUpdate: (uri) => listening.notify.resourceUpdated(uri),
    endSubscriptions: () => listening.close(),
    async close() {
      await Promise.all([listening.close(), requests.close()]);
    },
  };
}

/** What the SDK answers, without a word, to a request that it had to drop. Whoever still listens is told more. */
const CLOSED_UNDER_WAY = 499;

function idOf(body: unknown): string | number | null {
  const id: unknown = typeof body === "object" && body !== null && "id" in body ? body.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function isSubscription(body: unknown): boolean {
  return (
    typeof body === "object" && body !== null && "method" in body && body.method === "subscriptions/listen"
  );
}
