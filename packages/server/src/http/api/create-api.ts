import type { ClientName } from "#usage";
import { usageSpan } from "#usage";
import { VERSION } from "#util";
import { defined, memoizeWeak, Refusal } from "#util/pure";
import { knownSkill } from "../../dashboard/known-skill.ts";
import { previewFile } from "../../dashboard/preview-file.ts";
import type { Services, UsageRecords } from "../../services.ts";
import { asCaller } from "../../usage-records.ts";
import type { ActivityAnswer } from "../../wire/activity.ts";
import type { FindingsAnswer } from "../../wire/findings.ts";
import type { SessionAnswer } from "../../wire/session.ts";
import type { ErrorAnswer, HealthAnswer, ServerState } from "../../wire/skills.ts";
import type { UnmatchedAnswer } from "../../wire/unmatched.ts";
import type { UsageAnswer } from "../../wire/usage.ts";
import { missingScope } from "../auth/authenticate.ts";
import type { Scope } from "../auth/principal.ts";
import type { CallTail } from "../ops/call-tail.ts";
import {
  type ApiRequest,
  badParameter,
  formatIn,
  isAdministrator,
  isFromOurPage,
  numberIn,
  readFeedback,
  readSkillName,
  required,
  wantedSkill,
} from "./api-request.ts";
import { connectHandlers } from "./connect/connect-handlers.ts";
import { KEY_HEADER } from "./dashboard-key.ts";
import { describeCost } from "./describe-cost.ts";
import { JSON_TYPE, json } from "./json-answer.ts";
import { createClientViews } from "./model/client-views.ts";
import { type ListSettings, modelReads } from "./model/model-handlers.ts";
import { seenReads } from "./model/seen-handlers.ts";
import { type OverviewOptions, overviewReads } from "./overview/overview-handlers.ts";
import { refusalAnswer } from "./refusal-answer.ts";
import { ADMIN_READS, reviewReads, reviewWrites } from "./review/review-handlers.ts";
import { createSkillList } from "./skills/skill-columns.ts";
import { skillDetail } from "./skills/skill-detail.ts";
import { skillReads } from "./skills/skill-reads.ts";
import { skillWrites } from "./skills/skill-writes.ts";
import { sourceReads, sourceWrites } from "./sources/source-handlers.ts";
import { tryReads } from "./try/try-handlers.ts";
import { groupUnmatched } from "./usage/group-unmatched.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What the handlers of the API use, as one caller sees it. Each group of handlers takes some of it. */
export type ApiServices = Omit<Services, "setWorkspaces" | "setView" | "narrowed" | "sharedRates">;

export interface ApiOptions extends Pick<OverviewOptions, "clients"> {
  readonly server?: () => ServerState;
  /** How often something has changed for the pages that show this app. */
  readonly changesOf?: (view: ApiServices) => number;
  /** What decides the lists that clients get. */
  readonly lists: ListSettings;
  /** The last calls of agents. */
  readonly calls?: Pick<CallTail, "since">;
  /** What starts this program for whoever sees the page. */
  readonly start: SessionAnswer["start"];
}

export const API_PATH = "/api/v1";

/** The body is undefined when there is none, or it is not JSON. */
type ApiHandler = (request: ApiRequest, body: unknown) => Promise<ApiResponse>;
export type Handlers = Readonly<Record<string, ApiHandler>>;

/** A request that is admitted: its body may be read. */
export interface ApiCall {
  /** What it counts as for the rate limits, besides being a request. */
  readonly counts: readonly Scope[];
  answer(body: unknown): Promise<ApiResponse>;
}

/** The dashboard's JSON API. docs/reference/api.md lists it. */
export function createApi(
  services: ApiServices,
  options: ApiOptions,
): (request: ApiRequest) => ApiCall | ApiResponse {
  const handlersOf = memoizeWeak((view: ApiServices) => createHandlers(view, options));

  function answerOf(request: ApiRequest): ApiHandler | ApiResponse {
    const { reads, writes } = handlersOf(request.view ?? services);
    const { method, path, scopes, headers, needsKey } = request;
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
    const scope = isRead && !ADMIN_READS.has(name) ? "skills:read" : "skills:admin";
    if (scope === "skills:admin" && needsKey) return failure(403, "key-required", KEY_REQUIRED);
    if (!scopes.has(scope)) return failure(403, "insufficient-scope", missingScope(scope));
    if (!isRead && !isFromOurPage(headers))
      return failure(
        403,
        "foreign-page",
        "Changes need the header X-Skills-MCP and the origin of this server.",
      );
    return answer;
  }

  return (request) => {
    const handler = answerOf(request);
    if (typeof handler !== "function") return handler;
    return {
      counts: request.path === REFRESH_PATH ? ["skills:admin"] : [],
      async answer(body) {
        try {
          return await handler(request, body);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const { status, answer: refusal } = refusalAnswer(error);
          return json(refusal, status);
        }
      },
    };
  };
}

/** Does what the tool `refresh_skills` does, so it counts against the same limit. */
const REFRESH_PATH = `${API_PATH}/refresh`;

const KEY_REQUIRED = `Changes need the key in the address that \`skills-mcp serve\` printed (http://…/#key=…). Open that address, or send the key as the header ${KEY_HEADER}.`;

/** What can be read and changed, by the tables that requests are looked up in. */
export function resourceNames(
  services: ApiServices,
  options: ApiOptions,
): Readonly<Record<"reads" | "writes", readonly string[]>> {
  const { reads, writes } = createHandlers(services, options);
  return { reads: Object.keys(reads), writes: Object.keys(writes) };
}

function createHandlers(services: ApiServices, options: ApiOptions): Record<"reads" | "writes", Handlers> {
  const { skills, checks, toggles, page, review, installPlaces, usage } = services;
  const { clients, lists, server } = options;
  const { likelyUse } = usage;
  const viewOf = createClientViews(likelyUse, lists);
  const shown = { skills, checks, viewOf, home: installPlaces.home };
  const skillList = createSkillList();
  const connect = connectHandlers(installPlaces.home, clients);
  return {
    reads: {
      ...createReads(services, options, skillList),
      ...modelReads(skills, likelyUse, lists, clients),
      ...tryReads(services, lists, clients),
      ...overviewReads({ ...shown, page }, { clients, lists, server }),
      ...seenReads(shown, { clients, lists }, skillList),
      ...sourceReads(skills, checks, installPlaces),
      ...reviewReads(review),
      ...connect.reads,
    },
    writes: {
      ...createWrites(services),
      ...skillWrites(skills, toggles, page),
      ...sourceWrites(skills, installPlaces),
      ...reviewWrites(review),
      ...connect.writes,
    },
  };
}

async function sessionOf(
  services: ApiServices,
  { changesOf, start }: ApiOptions,
  { scopes, needsKey, subject, profile }: ApiRequest,
): Promise<SessionAnswer> {
  const changes = changesOf?.(services) ?? 0;
  const { reviewed } = await services.skills.snapshot();
  // Whoever may not change anything need not know that there is more.
  const inForce = scopes.has("skills:admin") ? await services.checks.inForce() : undefined;
  return {
    version: VERSION,
    scopes: [...scopes],
    start,
    changes,
    ...(needsKey ? { needsKey } : {}),
    ...defined({ caller: subject, profile }),
    home: services.installPlaces.home,
    ...(reviewed === undefined ? {} : { review: true }),
    ...(inForce === undefined ? {} : { inForce }),
  };
}

function createReads(
  services: ApiServices,
  options: ApiOptions,
  skillList: ReturnType<typeof createSkillList>,
): Handlers {
  const { skills, checks, toggles, page, search, library } = services;
  const { server, calls } = options;
  /** Searches and comments are what people wrote: everyone's are for administrators alone. */
  const usageFor = ({ scopes, subject }: ApiRequest): UsageRecords["usage"] =>
    (scopes.has("skills:admin") ? services : ofPage(services, subject)).usage.usage;
  return {
    ...skillReads({ skills, checks, toggles, page, usageFor }, skillList, () =>
      options.lists.profiles().map(({ name }) => name),
    ),
    session: async (request) => json(await sessionOf(services, options, request)),
    async skills({ headers }) {
      const { text, tag } = skillList(await skills.snapshot());
      const etag = `W/"${tag}"`;
      const caching = { etag, "cache-control": "private, no-cache" };
      if (headers["if-none-match"] === etag) return { status: 304, headers: caching, body: "" };
      return { status: 200, headers: { ...JSON_TYPE, ...caching }, body: text };
    },
    async skill(request) {
      const detailed = { skills, checks, library, page, usage: usageFor(request) };
      return json(await skillDetail(detailed, wantedSkill(request.query)));
    },
    async file({ query }) {
      const snapshot = await skills.snapshot();
      const known = await knownSkill(snapshot, wantedSkill(query));
      const preview = await previewFile(snapshot, known, required(query, "path"));
      return preview.kind === "image" ? image(preview) : json(preview);
    },
    async search({ query }) {
      return json(await search.search(required(query, "q"), numberIn(query, "limit", 1, 200) ?? 50));
    },
    async description({ query }) {
      const { catalog } = await skills.snapshot();
      const { descriptionFormat, descriptionBudget } = options.lists.http();
      const cost = describeCost(catalog, {
        client: query.get("client") ?? "",
        format: formatIn(query) ?? descriptionFormat,
        budget: numberIn(query, "budget", 1, 10_000_000) ?? descriptionBudget,
      });
      return json(cost);
    },
    async health(request) {
      const health = { version: VERSION, ...(await checks.health()) };
      if (isAdministrator(request))
        return json({ ...health, ...(server && { server: server() }) } satisfies HealthAnswer);
      // When others' skills change, how many others there are and what they do is for administrators alone.
      const freshness = { ...health.freshness, lastRefresh: undefined };
      return json({ ...health, freshness, usage: undefined } satisfies HealthAnswer);
    },
    async activity(request) {
      const { query, subject } = request;
      const after = numberIn(query, "after", 0, 999_999_999) ?? 0;
      // What others do is for administrators alone.
      const found = calls?.since(after, isAdministrator(request) ? undefined : { subject });
      return json((found ?? { calls: [], last: 0 }) satisfies ActivityAnswer);
    },
    async findings() {
      return json({ files: await checks.findings() } satisfies FindingsAnswer);
    },
    async "usage/unmatched"(request) {
      const { since, until, noMatch } = await usageFor(request)(spanIn(request.query));
      const { index } = await search.searchIndex();
      return json({ since, until, groups: groupUnmatched(noMatch, index.table) } satisfies UnmatchedAnswer);
    },
    async usage(request) {
      return json((await usageFor(request)(spanIn(request.query))) satisfies UsageAnswer);
    },
  };
}

function createWrites(services: ApiServices): Handlers {
  const { toggles } = services;
  return {
    "skills/enable": async (_, body) => json(await toggles.toggle(readSkillName(body), "enabled", "listed")),
    "skills/disable": async (_, body) =>
      json(await toggles.toggle(readSkillName(body), "disabled", "listed")),
    refresh: async ({ subject }) => json(await ofPage(services, subject).library.refreshSkills()),
    feedback: async ({ subject }, body) =>
      json(await ofPage(services, subject).library.reportUsage(readFeedback(body))),
  };
}

const PAGE: ClientName = { name: "dashboard", version: VERSION };

/** Usage and library as the dashboard uses them for one caller. */
function ofPage(services: Pick<Services, "usage" | "libraryOf">, subject: string | undefined) {
  return asCaller(services, { subject, client: () => PAGE });
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
