import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Log } from "#util";
import type { ErrorAnswer } from "../../wire/skills.ts";
import type { Scope } from "../auth/principal.ts";
import {
  type Exchange,
  HttpRefusal,
  notAllowed,
  refuseTooOften,
  sendJson,
  sendNotFound,
} from "../server/exchange.ts";
import type { DashboardPage, PageContext } from "../server/options.ts";
import { API_PATH, type ApiOptions, type ApiResponse, type ApiServices, createApi } from "./create-api.ts";
import { createDashboardFiles, type DashboardFiles, dashboardFolder } from "./dashboard-files.ts";
import { createKeyCheck } from "./dashboard-key.ts";
import { createEventFeed } from "./event-feed.ts";

const compress = promisify(gzip);

/** Smaller responses are not worth compressing. */
const MIN_COMPRESSED_BYTES = 4 * 1024;

export interface DashboardOptions extends Omit<ApiOptions, "server" | "clients" | "changesOf"> {
  readonly services: ApiServices;
  /** What changes need besides their scope; undefined where callers have tokens. */
  readonly key: string | undefined;
  readonly files: DashboardFiles;
}

/** The dashboard of the package; undefined, with a warning, in a checkout where it is not built. */
export async function openDashboard(options: Omit<DashboardOptions, "files">, log: Log) {
  const folder = dashboardFolder();
  if (folder !== undefined) {
    const files = await createDashboardFiles(folder, { asksForToken: options.key === undefined });
    return createDashboard({ ...options, files });
  }
  log.warn("the dashboard is not built, so / is not served; run npm run build");
  return undefined;
}

/** The dashboard at `/`, and its API below `/api/v1`. */
export function createDashboard(options: DashboardOptions): (context: PageContext) => DashboardPage {
  const { services, files } = options;
  return (context) => {
    const { readBody, rates, state, clients, viewFor } = context;
    const feed = createEventFeed(context);
    const api = createApi(services, { ...options, server: state, clients, changesOf: feed.changesOf });
    const unlocks = createKeyCheck(options.key);

    async function answerApi(exchange: Exchange): Promise<void> {
      const { request, path, query, principal } = exchange;
      const { subject, scopes, profile } = principal;
      const { method = "GET", headers } = request;
      const needsKey = !unlocks(headers);
      const admitted = { subject, profile, needsKey, scopes: needsKey ? withoutChanges(scopes) : scopes };
      const call = api({ method, path, query, headers, view: viewFor(principal), ...admitted });
      if ("status" in call) return send(exchange, call);
      refuseTooOften(await rates.messages(subject, call.counts));
      const body = method === "POST" ? await readBody(exchange) : undefined;
      if (body?.kind === "cut") return undefined;
      return send(exchange, await call.answer(body?.kind === "json" ? body.value : undefined));
    }

    /** Refusals in the shape of the API's other errors. */
    async function answerOrRefuse(exchange: Exchange): Promise<void> {
      try {
        await answerApi(exchange);
      } catch (error) {
        if (!(error instanceof HttpRefusal)) throw error;
        const { status, message, headers } = error;
        const answer: ErrorAnswer = { error: { code: REFUSALS[status] ?? "refused", message } };
        sendJson(exchange.response, status, answer, headers);
      }
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
        if (path.startsWith(`${API_PATH}/`)) return answerOrRefuse(exchange);
        if (!files.has(path)) return sendNotFound(response);
        if (method !== "GET" && method !== "HEAD") throw notAllowed("GET, HEAD");
        return send(exchange, files.answer(path, request.headers));
      },
      close: () => feed.close(),
    };
  };
}

const REFUSALS: Readonly<Record<number, string>> = {
  413: "too-large",
  429: "too-many-requests",
  503: "busy",
};

function withoutChanges(scopes: ReadonlySet<Scope>): ReadonlySet<Scope> {
  return new Set([...scopes].filter((scope) => scope !== "skills:admin"));
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
