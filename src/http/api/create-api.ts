import type { App } from "../../app/create-app.ts";
import { knownSkill } from "../../app/dashboard/known-skill.ts";
import { previewFile } from "../../app/dashboard/preview-file.ts";
import { usageSpan } from "../../app/usage/usage-span.ts";
import { Refusal } from "../../skill/refusal.ts";
import { VERSION } from "../../version.ts";
import { missingScope } from "../auth/authenticate.ts";
import {
  type ApiRequest,
  badParameter,
  formatIn,
  isFromOurPage,
  numberIn,
  readFeedback,
  readSkillName,
  required,
  wantedSkill,
} from "./api-request.ts";
import { describeCost } from "./describe-cost.ts";
import { refusalAnswer } from "./refusal-answer.ts";
import { createSkillList } from "./skill-columns.ts";
import { skillDetail } from "./skill-detail.ts";
import type {
  ErrorAnswer,
  HealthAnswer,
  ServerState,
  SessionAnswer,
  TryAnswer,
  TryGetSkillAnswer,
  UsageAnswer,
} from "./wire.ts";
import type { FindingsAnswer } from "./wire-findings.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface ApiOptions {
  /** How the `skill` tool describes skills unless the request asks for another format. */
  readonly format: "xml" | "list";
  /** Undefined: depends on the client. */
  readonly budget: number | undefined;
  readonly server?: () => ServerState;
}

export const API_PATH = "/api/v1";

type Handler = (request: ApiRequest) => Promise<ApiResponse>;
type Handlers = Readonly<Record<string, Handler>>;

/** The dashboard's JSON API. Documented in docs/dashboard.md. */
export function createApi(app: App, options: ApiOptions): Handler {
  const reads = createReads(app, options);
  const writes = createWrites(app);

  function answerOf(request: ApiRequest): Handler | ApiResponse {
    const { method, path, scopes, headers } = request;
    const name = path.slice(API_PATH.length + 1);
    const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
    const write = Object.hasOwn(writes, name) ? writes[name] : undefined;
    if (read === undefined && write === undefined)
      return failure(404, "unknown-address", `The API has no resource ${path}.`);
    const isRead = read !== undefined && (method === "GET" || method === "HEAD");
    const answer = isRead ? read : method === "POST" ? write : undefined;
    if (answer === undefined) {
      const allow = read === undefined ? "POST" : "GET, HEAD";
      return failure(405, "method-not-allowed", `${path} allows ${allow}.`, { allow });
    }
    const scope = isRead ? "skills:read" : "skills:admin";
    if (!scopes.has(scope)) return failure(403, "insufficient-scope", missingScope(scope));
    if (!isRead && !isFromOurPage(headers))
      return failure(
        403,
        "foreign-page",
        "Changes need the header X-Skills-MCP and the origin of this server.",
      );
    return answer;
  }

  return async (request) => {
    const answer = answerOf(request);
    if (typeof answer !== "function") return answer;
    try {
      return await answer(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, answer: refusal } = refusalAnswer(error);
      return json(refusal, status);
    }
  };
}

function createReads(app: App, options: ApiOptions): Handlers {
  const skillList = createSkillList();
  return {
    async session({ scopes }) {
      return json({ version: VERSION, scopes: [...scopes] } satisfies SessionAnswer);
    },
    async skills({ headers }) {
      const { text, tag } = skillList(await app.snapshot());
      const caching = { etag: tag, "cache-control": "private, no-cache" };
      if (headers["if-none-match"] === tag) return { status: 304, headers: caching, body: "" };
      return { status: 200, headers: { ...JSON_TYPE, ...caching }, body: text };
    },
    async skill({ query }) {
      return json(await skillDetail(app, wantedSkill(query)));
    },
    async file({ query }) {
      const snapshot = await app.snapshot();
      const known = await knownSkill(snapshot, wantedSkill(query));
      const preview = await previewFile(snapshot, known, required(query, "path"));
      return preview.kind === "image" ? image(preview) : json(preview);
    },
    async search({ query }) {
      return json(await app.search(required(query, "q"), numberIn(query, "limit", 1, 200) ?? 50));
    },
    async try({ query }) {
      return json(await tryTask(app, required(query, "task")));
    },
    async description({ query }) {
      const { catalog } = await app.snapshot();
      const cost = describeCost(catalog, {
        client: query.get("client") ?? "",
        format: formatIn(query) ?? options.format,
        budget: numberIn(query, "budget", 1, 10_000_000) ?? options.budget,
      });
      return json(cost);
    },
    async health() {
      const server = options.server === undefined ? {} : { server: options.server() };
      return json({ version: VERSION, ...(await app.health()), ...server } satisfies HealthAnswer);
    },
    async findings() {
      return json({ files: await app.findings() } satisfies FindingsAnswer);
    },
    async usage({ query }) {
      return json((await app.usage(spanIn(query))) satisfies UsageAnswer);
    },
  };
}

function createWrites(app: App): Handlers {
  return {
    "skills/enable": async ({ body }) => json(await app.toggle(readSkillName(body), "enabled", "listed")),
    "skills/disable": async ({ body }) => json(await app.toggle(readSkillName(body), "disabled", "listed")),
    refresh: async () => json(await app.library.refreshSkills()),
    feedback: async ({ body }) => json(await app.library.reportUsage(readFeedback(body))),
  };
}

const MAX_RESULTS = 10;

/** What each tool would answer to a task. It is not recorded as usage. */
async function tryTask(app: App, task: string): Promise<TryAnswer> {
  const { library } = await app.snapshot();
  const [find, allWords, getSkill] = await Promise.all([
    app.search(task, MAX_RESULTS, "models"),
    app.searchAllWords({ query: task, limit: MAX_RESULTS }),
    library.skills.size === 0 ? undefined : askLibrary(app, task),
  ]);
  return { task, find, allWords, ...(getSkill === undefined ? {} : { getSkill }) };
}

async function askLibrary(app: App, context: string): Promise<TryGetSkillAnswer> {
  try {
    return await app.library.getSkill({ context, skillPath: undefined, dryRun: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: true, message: error.message };
  }
}

function spanIn(query: URLSearchParams): { readonly since: string; readonly until: string } {
  const span = usageSpan(query.get("since") ?? "30d", Date.now());
  if (span === undefined)
    throw badParameter("since", "must be a number of days such as 30d, or a date that is not in the future");
  const until = query.get("until") ?? span.until;
  if (!/^\d{4}-\d\d-\d\d$/.test(until) || until < span.since)
    throw badParameter("until", "must be a date such as 2026-11-30, and not before 'since'");
  return { since: span.since, until: until < span.until ? until : span.until };
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" } as const;

function json(value: unknown, status = 200, headers: ApiResponse["headers"] = {}): ApiResponse {
  const body = JSON.stringify(value);
  return { status, headers: { ...JSON_TYPE, "cache-control": "no-store", ...headers }, body };
}

function failure(
  status: number,
  code: string,
  message: string,
  headers?: ApiResponse["headers"],
): ApiResponse {
  return json({ error: { code, message } } satisfies ErrorAnswer, status, headers);
}

/** Images of skills are untrusted, so they are sandboxed when opened directly. */
function image({ type, bytes }: { readonly type: string; readonly bytes: Uint8Array }): ApiResponse {
  return {
    status: 200,
    headers: {
      "content-type": type,
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; sandbox",
    },
    body: bytes,
  };
}
