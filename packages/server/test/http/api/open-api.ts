import { onTestFinished } from "vitest";
import type { Sandbox } from "../../../../../test/support/sandbox.ts";
import { compose } from "../../../src/compose.ts";
import type { ApiRequest } from "../../../src/http/api/api-request.ts";
import { type ApiResponse, createApi } from "../../../src/http/api/create-api.ts";
import type { AppOptions } from "../../../src/options.ts";
import type { Services } from "../../../src/services.ts";
import { plainLists, START } from "./plain-lists.ts";

const EVERY_SCOPE: ReadonlySet<string> = new Set(["skills:read", "skills:run", "skills:admin"]);

export interface OpenApi {
  readonly services: Services;
  get(address: string, request?: Partial<ApiRequest>): Promise<Answer>;
  /** Without a body when `body` is undefined. */
  post(address: string, body?: unknown, request?: Partial<ApiRequest>): Promise<Answer>;
}

interface Answer extends ApiResponse {
  /** The body as data. */
  readonly json: unknown;
}

/** The API without a socket, over a real services on real folders. */
export function openApi(sandbox: Sandbox, options: Partial<AppOptions> = {}): OpenApi {
  const usage = { endpoint: undefined, context: "full", history: true } as const;
  const { services, close } = compose({ cwd: sandbox.project, userDir: sandbox.home, usage, ...options });
  onTestFinished(close);
  const lists = plainLists(sandbox.path("home/.skills-mcp"));
  const api = createApi(services, { lists, clients: () => [], start: START });
  const ask = async (
    method: string,
    address: string,
    request: Partial<ApiRequest>,
    body?: unknown,
  ): Promise<Answer> => {
    const url = new URL(`/api/v1/${address}`, "http://localhost");
    const call = api({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: {},
      subject: undefined,
      scopes: EVERY_SCOPE,
      needsKey: false,
      ...request,
    });
    const answer = "status" in call ? call : await call.answer(body);
    const isJson = answer.headers["content-type"]?.startsWith("application/json") === true;
    return { ...answer, json: isJson ? (JSON.parse(String(answer.body)) as unknown) : undefined };
  };
  return {
    services,
    get: (address, request = {}) => ask("GET", address, request),
    post: (address, body, request = {}) =>
      ask("POST", address, { headers: { "x-skills-mcp": "test" }, ...request }, body),
  };
}
