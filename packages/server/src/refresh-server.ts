import type { RepoRefresh } from "#sources";
import { isLoopbackHost } from "#util";
import { Refusal } from "#util/pure";
import { readDashboardKey } from "./dashboard/dashboard-key.ts";

/** A server that answers over HTTP. */
export interface RefreshedServer {
  readonly url: string;
  readonly token: string | undefined;
  /** Whose server it is if it has no tokens: the key of their dashboard is in their home folder. */
  readonly home: string;
}

type ServerRefresh = Omit<RepoRefresh, "repository"> & {
  readonly mode?: string;
  readonly repositories?: readonly RepoRefresh[];
};

/** A fetch of a large repository may take minutes. */
const LONGEST_MS = 10 * 60_000;

/** Asks a running server to fetch its repositories now. Undefined: it has none, and scanned its folders again. */
export async function refreshServer({
  url: address,
  token,
  home,
}: RefreshedServer): Promise<readonly RepoRefresh[] | undefined> {
  const { url, target, key } = await targetOf(address, token, home);
  let response: Response;
  try {
    response = await fetch(target, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-skills-mcp": "refresh",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { "x-skills-mcp-key": key }),
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
  if (!response.ok) throw failed(url, await whyRefused(response));
  const answer = (await response.json().catch(() => undefined)) as ServerRefresh | undefined;
  if (typeof answer?.success !== "boolean") throw failed(url, "gave no answer of skills-mcp");
  if (answer.mode === "local") return undefined;
  return answer.repositories ?? [{ repository: new URL(url).host, ...answer }];
}

async function targetOf(address: string, token: string | undefined, home: string) {
  const base = /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (base === undefined || base.username !== "" || base.password !== "")
    throw badUrl(`--url takes an http or https URL without a password, such as http://127.0.0.1:4700.`);
  const given = /^#key=([\w-]+)$/.exec(base.hash)?.[1];
  base.hash = "";
  const isHere = isLoopbackHost(base.hostname);
  if ((token ?? given) !== undefined && base.protocol === "http:" && !isHere)
    throw badUrl(`--url is '${base.origin}', and a token is sent over http to this machine only; use https.`);
  // The own key goes nowhere but to this machine.
  const key = given ?? (token === undefined && isHere ? await readDashboardKey(home) : undefined);
  const target = new URL(`${base.pathname.replace(/\/(?:mcp)?$/, "")}/api/v1/refresh`, base);
  return { url: base.href.replace(/\/$/, ""), target, key };
}

async function whyRefused(response: Response): Promise<string> {
  const { status } = response;
  const answer = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly code?: unknown } }
    | undefined;
  if (answer?.error?.code === "key-required")
    return "wants the key of its dashboard (403). Pass the whole address that `skills-mcp serve` printed, with its #key=…, as --url";
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
