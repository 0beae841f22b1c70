import { Refusal } from "../../skill/refusal.ts";
import { isLoopbackHost } from "../../system/loopback.ts";
import type { RepoRefresh } from "../library/git-libraries.ts";

/** A server that answers over HTTP. */
export interface RefreshedServer {
  readonly url: string;
  readonly token: string | undefined;
}

type RefreshAnswer = Omit<RepoRefresh, "repository"> & {
  readonly mode?: string;
  readonly repositories?: readonly RepoRefresh[];
};

/** A fetch of a large repository may take minutes. */
const LONGEST_MS = 10 * 60_000;

/** Asks a running server to fetch its repositories now. Undefined: it has none, and scanned its folders again. */
export async function refreshServer({
  url,
  token,
}: RefreshedServer): Promise<readonly RepoRefresh[] | undefined> {
  const target = targetOf(url, token);
  let response: Response;
  try {
    response = await fetch(target, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-skills-mcp": "refresh",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: "{}",
      redirect: "error",
      signal: AbortSignal.timeout(LONGEST_MS),
    });
  } catch (error) {
    const { cause } = error as Error;
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : (error as Error).message;
    throw failed(url, `cannot be reached: ${reason}. Check the address, and that the server runs`, error);
  }
  if (!response.ok) throw failed(url, whyRefused(response.status));
  const answer = (await response.json().catch(() => undefined)) as RefreshAnswer | undefined;
  if (typeof answer?.success !== "boolean") throw failed(url, "gave no answer of skills-mcp");
  if (answer.mode === "local") return undefined;
  return answer.repositories ?? [{ repository: new URL(url).host, ...answer }];
}

function targetOf(url: string, token: string | undefined): URL {
  const base = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (base === undefined || base.username !== "" || base.password !== "")
    throw badUrl(`--url takes an http or https URL without a password, such as http://127.0.0.1:4700.`);
  if (token !== undefined && base.protocol === "http:" && !isLoopbackHost(base.hostname))
    throw badUrl(`--url is '${base.origin}', and a token is sent over http to this machine only; use https.`);
  return new URL(`${base.pathname.replace(/\/(?:mcp)?$/, "")}/api/v1/refresh`, base);
}

function whyRefused(status: number): string {
  if (status === 401) return "wants a token (401). Pass one with the scope skills:admin as --token";
  if (status === 403) return "denied it (403). The token needs the scope skills:admin";
  if (status === 404) return "has no API (404). Start it with `skills-mcp serve`, or use its webhook";
  return `answered ${status}`;
}

function failed(url: string, what: string, cause?: unknown): Refusal {
  return new Refusal(`${url} ${what}.`, { code: "unreachable", url }, { cause });
}

function badUrl(message: string): Refusal {
  return new Refusal(message, { code: "bad-usage", flag: "--url" });
}
