import { createHash } from "node:crypto";
import type { App } from "../../app/create-app.ts";
import { knownSkill } from "../../app/dashboard/known-skill.ts";
import { previewFile } from "../../app/dashboard/preview-file.ts";
import { usageSpan } from "../../app/usage/usage-span.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { Refusal } from "../../skill/refusal.ts";
import { VERSION } from "../../version.ts";
import { describeCost } from "./describe-cost.ts";
import { refusalAnswer } from "./refusal-answer.ts";
import { isFromOurPage } from "./same-origin.ts";
import { skillColumns } from "./skill-columns.ts";
import { skillDetail, type WantedSkill } from "./skill-detail.ts";
import { tryTask } from "./try-task.ts";
import type { ErrorAnswer, HealthAnswer, ServerState, SessionAnswer, UsageAnswer } from "./wire.ts";
import { readFeedback, readSkillName } from "./write-bodies.ts";

/** One request, without a socket. */
export interface ApiRequest {
  readonly method: string;
  /** The whole path, such as `/api/v1/skills`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What the body says; undefined when there is none. */
  readonly body: unknown;
  /** What the sender may do, such as `skills:read`. */
  readonly scopes: ReadonlySet<string>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface ApiOptions {
  /** How the `skill` tool describes skills unless the page asks for another way. */
  readonly format: "xml" | "list";
  /** Undefined: by what is known of the client. */
  readonly budget: number | undefined;
  /** What the server knows of those it serves. */
  readonly server?: () => ServerState;
}

export const API_PATH = "/api/v1";

interface Route {
  readonly scope: "skills:read" | "skills:admin";
  answer(request: ApiRequest): Promise<ApiResponse>;
}

/** The JSON that the dashboard shows, and that anyone may build upon. Documented in docs/dashboard.md. */
export function createApi(app: App, options: ApiOptions): (request: ApiRequest) => Promise<ApiResponse> {
  const columns = columnsKeeper();

  const reads: Readonly<Record<string, Route["answer"]>> = {
    async session({ scopes }) {
      return json({ version: VERSION, scopes: [...scopes] } satisfies SessionAnswer);
    },
    async skills({ headers }) {
      const { text, tag } = columns(await app.snapshot());
      const fresh = { etag: tag, "cache-control": "private, no-cache" };
      if (headers["if-none-match"] === tag) return { status: 304, headers: fresh, body: "" };
      return { status: 200, headers: { ...JSON_TYPE, ...fresh }, body: text };
    },
    async skill({ query }) {
      return json(await skillDetail(app, wantedSkill(query)));
    },
    async file({ query }) {
      const snapshot = await app.snapshot();
      const preview = await previewFile(
        snapshot,
        await knownSkill(snapshot, wantedSkill(query)),
        required(query, "path"),
      );
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
      return json(
        describeCost(catalog, {
          client: query.get("client") ?? "",
          format: formatIn(query) ?? options.format,
          budget: numberIn(query, "budget", 1, 10_000_000) ?? options.budget,
          finder: true,
        }),
      );
    },
    async health() {
      const health: HealthAnswer = {
        version: VERSION,
        ...(await app.health()),
        ...(options.server === undefined ? {} : { server: options.server() }),
      };
      return json(health);
    },
    async usage({ query }) {
      const since = query.get("since") ?? "30d";
      const span = usageSpan(since, Date.now());
      if (span === undefined) throw bad("since", "a number of days such as 30d, or a day that has come");
      const until = query.get("until") ?? span.until;
      if (!/^\d{4}-\d\d-\d\d$/.test(until) || until < span.since)
        throw bad("until", "a day such as 2026-11-30 that is not before the first");
      const summary: UsageAnswer = await app.usage({ since: span.since, until: earlier(until, span.until) });
      return json(summary);
    },
  };

  const writes: Readonly<Record<string, Route["answer"]>> = {
    "skills/enable": async ({ body }) => json(await app.toggle(readSkillName(body), "enabled", "listed")),
    "skills/disable": async ({ body }) => json(await app.toggle(readSkillName(body), "disabled", "listed")),
    refresh: async () => json(await app.library.refreshSkills()),
    feedback: async ({ body }) => json(await app.library.reportUsage(readFeedback(body))),
  };

  function routeOf({ method, path }: ApiRequest): Route | ApiResponse {
    const name = path.slice(API_PATH.length + 1);
    const read = Object.hasOwn(reads, name) ? reads[name] : undefined;
    const write = Object.hasOwn(writes, name) ? writes[name] : undefined;
    if (read !== undefined && (method === "GET" || method === "HEAD"))
      return { scope: "skills:read", answer: read };
    if (write !== undefined && method === "POST") return { scope: "skills:admin", answer: write };
    if (read === undefined && write === undefined)
      return failure(404, "unknown-address", `The API has nothing at ${path}.`);
    const allow = read === undefined ? "POST" : "GET, HEAD";
    const refused = failure(405, "method-not-allowed", `${path} takes ${allow}.`);
    return { ...refused, headers: { ...refused.headers, allow } };
  }

  return async (request) => {
    const route = routeOf(request);
    if ("status" in route) return route;
    if (!request.scopes.has(route.scope))
      return failure(403, "insufficient-scope", `This needs the scope ${route.scope}.`);
    if (route.scope === "skills:admin" && !isFromOurPage(request.headers))
      return failure(403, "foreign-page", "Only our own page, or a program that says so, may change things.");
    try {
      return await route.answer(request);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, answer } = refusalAnswer(error);
      return json(answer, status);
    }
  };
}

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" } as const;

function json(value: unknown, status = 200): ApiResponse {
  return { status, headers: { ...JSON_TYPE, "cache-control": "no-store" }, body: JSON.stringify(value) };
}

function failure(status: number, code: string, message: string): ApiResponse {
  return json({ error: { code, message } } satisfies ErrorAnswer, status);
}

/** A picture from a skill is data, wherever it is opened. */
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

/** Writes the list once for each look at the disk that changed it. */
function columnsKeeper(): (snapshot: Snapshot) => { readonly text: string; readonly tag: string } {
  const kept = new WeakMap<Snapshot, { readonly text: string; readonly tag: string }>();
  return (snapshot) => {
    const known = kept.get(snapshot);
    if (known !== undefined) return known;
    const text = JSON.stringify(skillColumns(snapshot));
    const tag = `W/"${createHash("sha1").update(text).digest("base64url")}"`;
    const written = { text, tag };
    kept.set(snapshot, written);
    return written;
  };
}

function wantedSkill(query: URLSearchParams): WantedSkill {
  const file = query.get("file");
  return file === null ? { name: required(query, "name") } : { file };
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value.trim() === "") throw bad(name, "a value");
  return value;
}

function numberIn(query: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const given = query.get(name);
  if (given === null || given === "") return undefined;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw bad(name, `a whole number from ${min} to ${max}`);
}

function formatIn(query: URLSearchParams): "xml" | "list" | undefined {
  const given = query.get("format");
  if (given === null || given === "") return undefined;
  if (given === "xml" || given === "list") return given;
  throw bad("format", "xml or list");
}

function bad(name: string, wanted: string): Refusal {
  return new Refusal(`The parameter '${name}' needs ${wanted}.`, { code: "bad-usage", flag: name });
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}
