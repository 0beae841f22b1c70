import type { ErrorAnswer } from "#server/wire";

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly suggestions: readonly string[];

  constructor(status: number, message: string, code = "", suggestions: readonly string[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.suggestions = suggestions;
  }
}

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Params = Readonly<Record<string, string | undefined>>;

export interface Client {
  get<T>(name: string, params?: Params, signal?: AbortSignal): Promise<T>;
  getBlob(name: string, params: Params, signal?: AbortSignal): Promise<Blob>;
  post<T>(name: string, body?: unknown): Promise<T>;
  /** Opens a streaming response, with the same token as any other request. */
  open(name: string, signal: AbortSignal): Promise<Response>;
}

export interface ClientOptions {
  readonly token: () => string | null;
  /** What changes need on a server without tokens. */
  readonly key: () => string | null;
  /** Called when the server answers 401. */
  readonly onUnauthorised: () => void;
}

/** The API of the server that served this page, relative to the page so that a proxy may add a path prefix. */
export function createClient({ token, key, onUnauthorised }: ClientOptions): Client {
  async function ask(name: string, params: Params, init: RequestInit = {}): Promise<Response> {
    const url = new URL(`api/v1/${name}`, document.baseURI);
    url.hash = "";
    for (const [key, value] of Object.entries(params))
      if (value !== undefined) url.searchParams.set(key, value);
    const headers = new Headers(init.headers);
    const bearer = token();
    if (bearer !== null) headers.set("authorization", `Bearer ${bearer}`);
    const unlocks = key();
    if (unlocks !== null) headers.set("x-skills-mcp-key", unlocks);
    const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ApiError(0, "The server is not responding. Is it still running?", "offline");
    });
    if (response.status === 401) onUnauthorised();
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  return {
    get: async (name, params = {}, signal) =>
      (await ask(name, params, signal === undefined ? {} : { signal })).json(),
    getBlob: async (name, params, signal) =>
      (await ask(name, params, signal === undefined ? {} : { signal })).blob(),
    async post(name, body = {}) {
      const headers = { "content-type": "application/json", "x-skills-mcp": "dashboard" };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      return (await ask(name, {}, init)).json();
    },
    open: (name, signal) => ask(name, {}, { signal, headers: { accept: "text/event-stream" } }),
  };
}

async function errorOf(response: Response): Promise<ApiError> {
  const answer = (await response.json().catch(() => undefined)) as
    | Partial<ErrorAnswer>
    | { readonly error?: string }
    | undefined;
  const error = answer?.error;
  if (typeof error === "object")
    return new ApiError(
      response.status,
      error.message,
      error.code,
      error.suggestions ?? error.candidates ?? [],
    );
  return new ApiError(response.status, error ?? `The server responded with status ${response.status}.`);
}
