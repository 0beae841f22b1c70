import { boolean, optional, strictObject, string } from "zod";
import { Refusal } from "#util/pure";
import type { ApiServices } from "./create-api.ts";
import type { WantedDetail } from "./skills/skill-detail.ts";

/** With names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request, without a socket and without its body. */
export interface ApiRequest {
  readonly method: string;
  /** The whole path, such as `/api/v1/skills`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  /** What the sender sees, where callers see different things. */
  readonly view?: ApiServices;
  /** Who sent it; undefined on a server without authentication. */
  readonly subject: string | undefined;
  /** The profile that decides what the sender sees. */
  readonly profile?: string | undefined;
  /** What the sender may do, such as `skills:read`. */
  readonly scopes: ReadonlySet<string>;
  /** Whether the sender may not change anything because the key of the address that `serve` prints is missing. */
  readonly needsKey: boolean;
}

/** A page of another origin can send this header only after a preflight, which is never granted. */
const PAGE_HEADER = "x-skills-mcp";

/** Whether a write request comes from the dashboard, or from a client that is not a browser. */
export function isFromOurPage(headers: RequestHeaders): boolean {
  if (headers[PAGE_HEADER] === undefined) return false;
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return typeof origin === "string" && URL.canParse(origin) && new URL(origin).host === host;
}

/** `?name=…` or `?file=…` */
export function wantedSkill(query: URLSearchParams): WantedDetail {
  const file = query.get("file");
  return file === null ? { name: required(query, "name") } : { file };
}

export function required(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value.trim() === "") throw badParameter(name, "is missing");
  return value;
}

export function numberIn(query: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const given = query.get(name);
  if (given === null || given === "") return undefined;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badParameter(name, `must be a whole number from ${min} to ${max}`);
}

export function formatIn(query: URLSearchParams): "xml" | "list" | undefined {
  const given = query.get("format");
  if (given === null || given === "") return undefined;
  if (given === "xml" || given === "list") return given;
  throw badParameter("format", "must be xml or list");
}

export function badParameter(name: string, problem: string): Refusal {
  return new Refusal(`The parameter '${name}' ${problem}.`, { code: "bad-usage", flag: name });
}

const MAX_COMMENT = 2_000;

const SKILL = strictObject({ name: string().min(1) });
const FEEDBACK = strictObject({
  skill: string().min(1),
  useful: boolean(),
  comment: optional(string().max(MAX_COMMENT)),
});

/** `{"name": "pdf"}` */
export function readSkillName(body: unknown): string {
  const read = SKILL.safeParse(body);
  if (read.success) return read.data.name;
  throw badBody('{"name": "pdf"}');
}

/** `{"skill": "pdf", "useful": true, "comment": "…"}` */
export function readFeedback(body: unknown): {
  readonly skillPath: string;
  readonly useful: boolean;
  readonly comment: string | undefined;
} {
  const read = FEEDBACK.safeParse(body);
  if (!read.success)
    throw badBody(`{"skill": "pdf", "useful": true, "comment": "up to ${MAX_COMMENT} characters"}`);
  const { skill, useful, comment } = read.data;
  return { skillPath: skill, useful, comment };
}

export function badBody(example: string): Refusal {
  return new Refusal(`The body must be JSON such as ${example}.`, { code: "bad-usage" });
}

/** Whether the sender may know of what a profile leaves out. */
export function isAdministrator({ scopes }: Pick<ApiRequest, "scopes">): boolean {
  return scopes.has("skills:admin");
}
