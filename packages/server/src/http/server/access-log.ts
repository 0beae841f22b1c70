import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientInfo } from "#agents";
import type { Log, ObserveRequest } from "#util";
import { noteRequests } from "../../mcp/observe/observers.ts";

/** One line for each MCP request, and one for each HTTP request that carried none. Neither has a text that a caller wrote. */
export interface AccessLog {
  readonly requests: ObserveRequest;
  /** An HTTP request that has ended. */
  exchange(exchange: EndedExchange): void;
}

interface EndedExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The name of the route, as in the metrics. */
  readonly route: string;
  readonly durationMs: number;
  /** Who sent it; undefined where nobody knows. */
  readonly caller: string | undefined;
}

/** Monitoring asks for these every few seconds. */
const PROBES: ReadonlySet<string> = new Set(["healthz", "readyz", "metrics"]);
/** Their requests have lines of their own. */
const CARRIES_MCP: ReadonlySet<string> = new Set(["mcp", "messages"]);
/** What somebody has to look at: credentials that are not accepted, and callers that are slowed down. */
const NOTEWORTHY: ReadonlySet<number> = new Set([401, 429]);

export function createAccessLog(log: Log): AccessLog {
  return {
    requests: noteRequests((request, { kind: outcome, code, durationMs, client, served }) => {
      const { method, tool, caller } = request;
      const what = tool === undefined ? method : `${method} ${tool}`;
      const took = Math.round(durationMs);
      log.info(`${what}: ${outcome}${code === undefined ? "" : ` ${code}`}, ${took} ms`, {
        fields: {
          request_id: request.httpRequestId,
          rpc_id: shortText(String(request.id)),
          caller,
          client: clientText(client),
          method,
          tool,
          skill: served?.name,
          duration_ms: took,
          outcome,
          error_code: code,
        },
      });
    }),
    exchange({ request, response, route, durationMs, caller }) {
      const { statusCode: status } = response;
      if (CARRIES_MCP.has(route) && request.method === "POST" && status < 400) return;
      const level = NOTEWORTHY.has(status) ? "warn" : PROBES.has(route) ? "debug" : "info";
      const took = Math.round(durationMs);
      const method = knownMethod(request.method);
      log[level](`${method} ${route}: ${status}, ${took} ms`, {
        fields: {
          request_id: requestIdOf(request),
          caller,
          http_method: method,
          route,
          status,
          duration_ms: took,
          address: request.socket.remoteAddress,
        },
      });
    },
  };
}

/** As proxies and clients pass it on; anything else might be a text. */
const REQUEST_ID = /^[\w.:/=+-]{1,128}$/;

/**
 * Gives a request an id, the one of the proxy in front if it has a plain one. It stays in the headers, which go wherever
 * the request goes, and the response has it too.
 */
export function identify(request: IncomingMessage, response: ServerResponse): void {
  const given = request.headers["x-request-id"];
  const id = typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
  request.headers["x-request-id"] = id;
  response.setHeader("x-request-id", id);
}

/** The id that `identify` gave a request. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const id = headers["x-request-id"];
  return typeof id === "string" ? id : undefined;
}

const LONGEST_TEXT = 64;

function shortText(text: string): string {
  return text.slice(0, LONGEST_TEXT);
}

function clientText(client: ClientInfo | undefined): string | undefined {
  if (client === undefined) return undefined;
  return shortText(client.version === undefined ? client.name : `${client.name}/${client.version}`);
}

function knownMethod(method = ""): string {
  return ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT"].includes(method) ? method : "other";
}
