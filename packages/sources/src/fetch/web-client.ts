import { isLoopbackHost } from "#util";
import { defined, type FetchReason, type Refusal } from "#util/pure";
import { authorizationOf, type HostToken, hostOf, loginAdvice } from "../credentials/host-tokens.ts";
import { cannotFetch, type FetchContext, withoutQuery } from "./fetch-context.ts";

export interface WebRequest {
  readonly url: string;
  /** What is fetched, for messages: "its index", "the archive". */
  readonly what: string;
  readonly maxBytes: number;
  readonly accept?: string;
  /** Sent to the origin of `url` alone, instead of the token of its host. */
  readonly authorization?: string | undefined;
  /** Answers with these statuses are returned without content instead of refused. */
  readonly allowed?: ReadonlySet<number>;
}

export interface WebAnswer {
  readonly status: number;
  /** The token that was sent. */
  readonly sent: HostToken | undefined;
  readonly bytes: Buffer;
}

/** Hosts that keep the files of another one, which redirects to them. */
const FILE_HOSTS: Readonly<Record<string, RegExp>> = {
  "github.com": /^(?:codeload\.github\.com|[a-z-]+\.githubusercontent\.com)$/,
};

export type WebClient = ReturnType<typeof createWebClient>;

/** Fetches files from the named source and no other host, within limits of size and time. */
export function createWebClient(context: FetchContext) {
  return {
    get: (request: WebRequest): Promise<WebAnswer> => get(context, request),
  };
}

async function get(context: FetchContext, request: WebRequest): Promise<WebAnswer> {
  const { limits } = context;
  let url = new URL(request.url);
  const sent = request.authorization === undefined ? await context.tokenFor(url) : undefined;
  const authorization = sent === undefined ? request.authorization : authorizationOf(sent);
  const clock = createClock(context);
  try {
    for (let hops = 0; hops <= limits.redirects; hops++) {
      checkProtocol(context, url);
      const response = await send(context, { ...request, authorization }, url, clock);
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null) {
        await response.body?.cancel();
        url = nextUrl(context, request, url, location);
        continue;
      }
      if (response.ok)
        return { status: response.status, sent, bytes: await readBody(context, request, response, clock) };
      await response.body?.cancel();
      if (request.allowed?.has(response.status) === true)
        return { status: response.status, sent, bytes: Buffer.alloc(0) };
      throw badStatus(context, request, response.status, sent);
    }
    throw failed(context, request, "broken", `it redirects more than ${limits.redirects} times`);
  } finally {
    clock.stop();
  }
}

async function send(
  context: FetchContext,
  { accept, authorization, url, what }: WebRequest,
  target: URL,
  clock: Clock,
): Promise<Response> {
  const isFirst = target.origin === new URL(url).origin;
  try {
    return await fetch(target, {
      redirect: "manual",
      signal: clock.signal,
      headers: {
        // An archive that is compressed once more on the way would not be what its digest says.
        "accept-encoding": "identity",
        "user-agent": "skills-mcp",
        ...defined({ accept }),
        ...(authorization === undefined || !isFirst ? {} : { authorization }),
      },
    });
  } catch (error) {
    throw clock.failure({ url, what }) ?? unreachable(context, { url, what }, error);
  }
}

async function readBody(
  context: FetchContext,
  request: WebRequest,
  response: Response,
  clock: Clock,
): Promise<Buffer> {
  const { maxBytes } = request;
  const tooMuch = (): Refusal =>
    failed(context, request, "too-large", `it is larger than the limit of ${shownBytes(maxBytes)}`);
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooMuch();
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      clock.touch();
      length += chunk.length;
      if (length > maxBytes) throw tooMuch();
      chunks.push(chunk);
    }
  } catch (error) {
    if (length > maxBytes) throw error;
    throw clock.failure(request) ?? failed(context, request, "unreachable", "the connection was cut", error);
  }
  return Buffer.concat(chunks);
}

interface Clock {
  readonly signal: AbortSignal;
  /** Something arrived. */
  touch(): void;
  stop(): void;
  /** The refusal, if a limit or the caller ended the request. */
  failure(request: Pick<WebRequest, "url" | "what">): Refusal | undefined;
}

/** Ends a request that takes too long, in which nothing arrives any more, or that was aborted. */
function createClock(context: FetchContext): Clock {
  const { limits, signal } = context;
  const controller = new AbortController();
  const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
  let reason: string | undefined;
  const end = (why: string) => () => {
    reason ??= why;
    controller.abort();
  };
  const cancel = end("it was cancelled");
  const whole = setTimeout(end(`it took longer than ${seconds(limits.requestMs)}`), limits.requestMs);
  const stall = setTimeout(end(`nothing arrived for ${seconds(limits.stallMs)}`), limits.stallMs);
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted === true) cancel();
  return {
    signal: controller.signal,
    touch: () => void stall.refresh(),
    stop() {
      clearTimeout(whole);
      clearTimeout(stall);
      signal?.removeEventListener("abort", cancel);
    },
    failure: (request) =>
      reason === undefined ? undefined : failed(context, request, "time-out", `${reason}; try again later`),
  };
}

/** Where a redirect leads, if that is still the named source. */
function nextUrl(context: FetchContext, request: WebRequest, from: URL, location: string): URL {
  if (!URL.canParse(location, from.href))
    throw failed(context, request, "broken", "it redirects to no address");
  const to = new URL(location, from);
  const named = new URL(request.url);
  if (mayFollow(named, to)) return to;
  throw failed(
    context,
    request,
    "other-origin",
    `it redirects to ${to.origin}, and only the named source is contacted; if you trust that host, use its address`,
  );
}

/** Whether a redirect stays with the named source. */
export function mayFollow(named: URL, to: URL): boolean {
  const isItsFileHost = to.protocol === "https:" && FILE_HOSTS[named.hostname]?.test(to.hostname) === true;
  return to.origin === named.origin || isItsFileHost;
}

function checkProtocol(context: FetchContext, url: URL): void {
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname))) return;
  throw cannotFetch(
    context.source,
    "unsafe",
    `${withoutQuery(url.href)} is not encrypted; use https. Plain http is only allowed for this machine.`,
  );
}

function badStatus(
  context: FetchContext,
  request: WebRequest,
  status: number,
  sent: HostToken | undefined,
): Refusal {
  const host = hostOf(new URL(request.url));
  if (status === 401 && host !== undefined && (sent !== undefined || request.authorization === undefined))
    return failed(context, request, "denied", `access is denied (401); ${loginAdvice(host, sent)}`);
  if (status === 401 || status === 403)
    return failed(context, request, "denied", `access is denied (${status}); check that you may read it`);
  if (status === 404 || status === 410)
    return failed(context, request, "not-found", `it was not found (${status}); check the address`);
  if (status === 429)
    return failed(context, request, "server-error", "too many requests (429); try again later");
  const reason = status >= 500 ? "the server failed" : "the server answered";
  return failed(context, request, "server-error", `${reason} (${status}); try again later`);
}

function unreachable(
  context: FetchContext,
  request: Pick<WebRequest, "url" | "what">,
  error: unknown,
): Refusal {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason =
    code === "ENOTFOUND" || code === "EAI_AGAIN"
      ? "the host was not found; check the network and the address"
      : `it is unreachable (${code || (cause instanceof Error ? cause.message : String(cause))}); check the network`;
  return failed(context, request, "unreachable", `${reason}${proxyHint(context, request.url)}`, error);
}

/** Node uses the proxy variables only when it is told to, and not before 22.21. */
function proxyHint({ environment }: FetchContext, url: string): string {
  const isSet = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) => environment[name]);
  if (!isSet || isLoopbackHost(new URL(url).hostname) || environment["NODE_USE_ENV_PROXY"] === "1") return "";
  return ". A proxy is set; Node 22.21, 24 and newer use it with NODE_USE_ENV_PROXY=1";
}

function failed(
  { source }: FetchContext,
  { url, what }: Pick<WebRequest, "url" | "what">,
  reason: FetchReason,
  words: string,
  cause?: unknown,
): Refusal {
  const place = withoutQuery(url);
  return cannotFetch(source, reason, `${what} could not be fetched from ${place}: ${words}.`, cause);
}

function shownBytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${bytes} bytes`;
}
