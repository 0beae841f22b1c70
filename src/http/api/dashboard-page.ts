import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { App } from "../../app/create-app.ts";
import type { Log } from "../../system/log.ts";
import {
  type Exchange,
  notAllowed,
  readJsonBody,
  sendJson,
  sendNotFound,
  tooLarge,
} from "../server/exchange.ts";
import type { Page, PageContext } from "../server/options.ts";
import { API_PATH, type ApiOptions, type ApiResponse, createApi } from "./create-api.ts";
import { createDashboardFiles, type DashboardFiles, dashboardFolder } from "./dashboard-files.ts";
import { createEventFeed } from "./event-feed.ts";
import type { ErrorAnswer } from "./wire.ts";

const compress = promisify(gzip);

/** Smaller responses are not worth compressing. */
const MIN_COMPRESSED_BYTES = 4 * 1024;

export interface DashboardOptions extends Omit<ApiOptions, "server"> {
  readonly app: App;
  readonly files: DashboardFiles;
}

/** The dashboard of the package; undefined, with a warning, in a checkout where it is not built. */
export async function openDashboard(options: Omit<DashboardOptions, "files">, log: Log) {
  const folder = dashboardFolder();
  if (folder !== undefined) return createDashboard({ ...options, files: await createDashboardFiles(folder) });
  log.warn("the dashboard is not built, so / is not served; run npm run build");
  return undefined;
}

/** The dashboard at `/`, and its API below `/api/v1`. */
export function createDashboard(options: DashboardOptions): (context: PageContext) => Page {
  const { app, files } = options;
  return (context) => {
    const { bodyBytes, state } = context;
    const api = createApi(app, { ...options, server: state });
    const feed = createEventFeed(app, context);

    async function answerApi(exchange: Exchange): Promise<void> {
      const { request, response, path, query, principal } = exchange;
      const { method = "GET", headers } = request;
      let body: unknown;
      if (method === "POST") {
        const read = await readJsonBody(request, bodyBytes);
        if (read.kind === "cut") return;
        if (read.kind === "too-large") {
          const { status, message, headers: closing } = tooLarge(bodyBytes);
          const answer: ErrorAnswer = { error: { code: "too-large", message } };
          sendJson(response, status, answer, closing);
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
        const { method } = request;
        if (path === `${API_PATH}/events`) {
          if (method !== "GET") throw notAllowed("GET");
          return feed.open(exchange);
        }
        if (path.startsWith(`${API_PATH}/`)) return answerApi(exchange);
        if (!files.has(path)) return sendNotFound(response);
        if (method !== "GET" && method !== "HEAD") throw notAllowed("GET, HEAD");
        return send(exchange, await files.answer(path, request.headers));
      },
      close: () => feed.close(),
    };
  };
}

async function send({ request, response }: Exchange, answer: ApiResponse): Promise<void> {
  const { status, headers } = answer;
  const isText = typeof answer.body === "string";
  let body = typeof answer.body === "string" ? Buffer.from(answer.body) : Buffer.from(answer.body);
  const isCompressed =
    isText &&
    body.length >= MIN_COMPRESSED_BYTES &&
    /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  // The fastest level: latency matters more than size.
  if (isCompressed) body = await compress(body, { level: 1 });
  if (response.destroyed) return;
  response.writeHead(status, {
    "x-content-type-options": "nosniff",
    ...(isText ? { vary: "Accept-Encoding" } : {}),
    ...headers,
    ...(isCompressed ? { "content-encoding": "gzip" } : {}),
    ...(status === 304 ? {} : { "content-length": String(body.length) }),
  });
  response.end(request.method === "HEAD" || status === 304 ? undefined : body);
}
