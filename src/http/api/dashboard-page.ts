import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { App } from "../../app/create-app.ts";
import { type Exchange, readBody, sendFull, sendJson, sendNotAllowed } from "../server/exchange.ts";
import type { Page, PageContext } from "../server/options.ts";
import { API_PATH, type ApiOptions, type ApiResponse, createApi } from "./create-api.ts";
import type { DashboardFiles } from "./dashboard-files.ts";
import { createEventFeed } from "./event-feed.ts";
import type { ErrorAnswer } from "./wire.ts";

const compress = promisify(gzip);

/** The list that a page waits for comes first; whoever looks at it will search. */
const PREPARE_SEARCH_MS = 1_000;

/** Pages that listen at once; each is a tab that someone left open. */
const MOST_LISTENING = 256;

/** Smaller answers gain nothing. */
const WORTH_COMPRESSING = 4 * 1024;

export interface DashboardOptions extends Omit<ApiOptions, "server"> {
  readonly app: App;
  readonly files: DashboardFiles;
}

/** The dashboard at `/`, and its API below `/api/v1`. */
export function createDashboard(options: DashboardOptions): (context: PageContext) => Page {
  const { app, files } = options;
  return ({ streams, keepAliveMs, bodyBytes, state }) => {
    const api = createApi(app, { ...options, server: state });
    const feed = createEventFeed(app);
    const listening = new Set<Exchange["response"]>();
    const beat = setInterval(() => {
      for (const response of listening) response.write(": still here\n\n");
    }, keepAliveMs).unref();

    /** A stream without an end: each event only says what to fetch again. */
    function openFeed({ response, principal }: Exchange): void {
      if (listening.size >= MOST_LISTENING)
        return sendFull(response, "As many pages as may listen for changes. Close one, or try again later.");
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
        "x-content-type-options": "nosniff",
      });
      response.write("event: ready\ndata: {}\n\n");
      setTimeout(() => app.prepareSearch(), PREPARE_SEARCH_MS).unref();
      streams.add(response, principal);
      listening.add(response);
      const stop = feed.subscribe((event) => response.write(`event: ${event}\ndata: {}\n\n`));
      response.once("close", () => {
        stop();
        listening.delete(response);
      });
      return undefined;
    }

    async function answerApi(exchange: Exchange): Promise<void> {
      const { request, response, path, query, principal } = exchange;
      const { method = "GET", headers } = request;
      let body: unknown;
      if (method === "POST") {
        const read = await readBody(request, bodyBytes);
        if (read.kind === "cut") return;
        if (read.kind === "too-large") {
          response.setHeader("connection", "close");
          sendError(response, 413, "too-large", `The body may have ${bodyBytes} bytes at most.`);
          return;
        }
        body = read.kind === "json" ? read.value : undefined;
      }
      await send(exchange, await api({ method, path, query, headers, body, scopes: principal.scopes }));
    }

    return {
      isOpen: (path) => files.has(path),
      async serve(exchange) {
        const { request, response, path } = exchange;
        const isRead = request.method === "GET" || request.method === "HEAD";
        if (path === `${API_PATH}/events`) {
          return request.method === "GET" ? openFeed(exchange) : sendNotAllowed(response, "GET");
        }
        if (path.startsWith(`${API_PATH}/`)) return answerApi(exchange);
        if (!files.has(path))
          return sendJson(response, 404, { error: "There is nothing here. MCP is at /mcp." });
        if (!isRead) return sendNotAllowed(response, "GET, HEAD");
        return send(exchange, await files.answer(path, request.headers));
      },
      close() {
        clearInterval(beat);
        feed.close();
        for (const response of listening) response.end();
      },
    };
  };
}

async function send({ request, response }: Exchange, answer: ApiResponse): Promise<void> {
  const { status, headers } = answer;
  let body = typeof answer.body === "string" ? Buffer.from(answer.body, "utf8") : Buffer.from(answer.body);
  const isText = typeof answer.body === "string";
  const mayCompress = isText && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const compressed = mayCompress && body.length >= WORTH_COMPRESSING;
  // The lightest level: the wire is rarely the bottleneck, and someone waits.
  if (compressed) body = await compress(body, { level: 1 });
  if (response.destroyed) return;
  response.writeHead(status, {
    "x-content-type-options": "nosniff",
    ...(isText ? { vary: "Accept-Encoding" } : {}),
    ...headers,
    ...(compressed ? { "content-encoding": "gzip" } : {}),
    ...(status === 304 ? {} : { "content-length": String(body.length) }),
  });
  response.end(request.method === "HEAD" || status === 304 ? undefined : body);
}

function sendError(response: Exchange["response"], status: number, code: string, message: string): void {
  sendJson(response, status, { error: { code, message } } satisfies ErrorAnswer);
}
