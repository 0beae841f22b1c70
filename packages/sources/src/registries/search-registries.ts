import { tmpdir } from "node:os";
import { parseJson, Refusal } from "#util/pure";
import { parseSourceAddress } from "../address/source-address.ts";
import { asRefusal, type FetchContext } from "../fetch/fetch-context.ts";
import { contextOf, type FetchOptions } from "../fetch/fetch-source.ts";
import { readPlace } from "../fetch/from-archive.ts";
import { FETCH_LIMITS } from "../fetch/limits.ts";
import { indexUrls } from "../fetch/site/from-site.ts";
import { createWebClient } from "../fetch/web-client.ts";
import {
  auditsIn,
  entriesOfIndex,
  entriesOfMarketplace,
  entriesOfSearch,
  type RegistryAudit,
  type RegistryEntry,
} from "./registry-entries.ts";

export interface FoundInRegistry extends RegistryEntry {
  /** Undefined where the registry has none, or cannot be asked. */
  readonly audits?: readonly RegistryAudit[];
}

/** What one registry answered; without results, why. */
export interface RegistryAnswer {
  readonly registry: string;
  readonly results: readonly FoundInRegistry[];
  /** How many fit, also beyond the limit. */
  readonly total: number;
  readonly problem?: string;
}

interface RegistrySearch {
  readonly query: string;
  readonly limit: number;
}

type AskOptions = Omit<FetchOptions, "stagingFolder">;

/** The path of a search that is compatible with skills.sh, by which such a registry is known. */
const SEARCH_PATH = /\/api\/search\/?$/;
const ABSENT: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 410]);
const NO_AUDITS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 429, 500, 502, 503]);
const SMALL = { indexBytes: 8 * 1024 * 1024, auditBytes: 256 * 1024, requestMs: 20_000 };

/** Asks each registry, one after the other, so that one that fails takes nothing from the others. */
export async function searchRegistries(
  registries: readonly string[],
  search: RegistrySearch,
  options: AskOptions,
): Promise<readonly RegistryAnswer[]> {
  const answers: RegistryAnswer[] = [];
  for (const registry of registries) {
    try {
      answers.push({ registry, ...(await askRegistry(registry, search, options)) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answers.push({ registry, results: [], total: 0, problem: error.message });
    }
  }
  return answers;
}

async function askRegistry(
  registry: string,
  search: RegistrySearch,
  options: AskOptions,
): Promise<Pick<RegistryAnswer, "results" | "total">> {
  const address = parseSourceAddress(registry, "The registry");
  const limits = { ...FETCH_LIMITS, ...SMALL };
  const context = contextOf(address, { ...options, stagingFolder: tmpdir() }, limits);
  try {
    if (address.kind === "marketplace") {
      const bytes = address.isRemote
        ? await download(rawFile(address.place), context)
        : await readPlace(address.place, limits.indexBytes, context);
      const entries = entriesOfMarketplace(parseJson(bytes.toString("utf8")), address.place);
      return best(known(entries, registry, "a marketplace"), search);
    }
    if (address.kind !== "site")
      throw new Refusal(
        `The registry '${registry}' is none: write the address of a site with an index of skills, of a marketplace.json, or of a search that ends with /api/search.`,
        { code: "bad-usage" },
      );
    if (SEARCH_PATH.test(new URL(address.url).pathname)) return await askSearch(address.url, search, context);
    return best(await readIndex(address.url, context), search);
  } catch (error) {
    throw asRefusal(error, context);
  }
}

async function download(url: string, context: FetchContext): Promise<Buffer> {
  const { indexBytes: maxBytes } = context.limits;
  return (await createWebClient(context).get({ url, what: "The registry", maxBytes })).bytes;
}

/** The index of a site, without any of its skills. */
async function readIndex(given: string, context: FetchContext): Promise<readonly RegistryEntry[]> {
  const { indexBytes: maxBytes } = context.limits;
  const web = createWebClient(context);
  for (const url of indexUrls(given)) {
    const { status, bytes } = await web.get({ url, what: "The registry", maxBytes, allowed: ABSENT });
    const entries = status === 200 ? entriesOfIndex(parseJson(bytes.toString("utf8")), given) : undefined;
    if (entries !== undefined) return entries;
  }
  return known(undefined, given, "a site with an index of skills");
}

/** The query is sent here, and nowhere else. */
async function askSearch(
  address: string,
  { query, limit }: RegistrySearch,
  context: FetchContext,
): Promise<Pick<RegistryAnswer, "results" | "total">> {
  const url = new URL(address);
  url.search = new URLSearchParams({ q: query, limit: String(limit) }).toString();
  const answer = parseJson((await download(url.href, context)).toString("utf8"));
  const entries = known(entriesOfSearch(answer), address, "a search of skills");
  const web = createWebClient(context);
  const results: FoundInRegistry[] = [];
  for (const entry of entries.slice(0, limit)) {
    const audited = auditsUrl(url, entry.id);
    const { id: _, ...shown } = entry;
    const audits =
      audited === undefined
        ? []
        : await web
            .get({ url: audited, what: "The audits", maxBytes: SMALL.auditBytes, allowed: NO_AUDITS })
            .then(({ bytes }) => auditsIn(parseJson(bytes.toString("utf8"))))
            // A skill without audits is still a result.
            .catch((error: unknown) => {
              if (!(error instanceof Refusal)) throw error;
              return [];
            });
    results.push({ ...shown, ...(audits.length === 0 ? {} : { audits }) });
  }
  return { results, total: entries.length };
}

/** Beside the search, by the registry's own name of the skill. */
function auditsUrl(search: URL, id: string | undefined): string | undefined {
  const parts = id?.split("/") ?? [];
  if (parts.length === 0 || parts.some((part) => part === "" || /^\.+$/.test(part))) return undefined;
  const base = search.pathname.replace(SEARCH_PATH, "");
  return `${search.origin}${base}/api/v1/skills/audit/${parts.map(encodeURIComponent).join("/")}`;
}

/** A page of GitHub about a file has the file elsewhere. */
function rawFile(url: string): string {
  return url.replace(/^(https:\/\/github\.com\/[^/]+\/[^/]+)\/blob\//, "$1/raw/");
}

function known(
  entries: readonly RegistryEntry[] | undefined,
  registry: string,
  what: string,
): readonly RegistryEntry[] {
  if (entries !== undefined) return entries;
  throw new Refusal(`The registry ${registry} is not ${what}.`, {
    code: "cannot-fetch",
    source: registry,
    reason: "broken",
  });
}

/** Entries that have a word of the query, those with most of them first, and a name before a description. */
function best(
  entries: readonly RegistryEntry[],
  { query, limit }: RegistrySearch,
): Pick<RegistryAnswer, "results" | "total"> {
  const words = [...new Set(query.toLowerCase().split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== "");
  const scored = entries.slice(0, FETCH_LIMITS.listedSkills).map((entry) => {
    const [name, text] = [entry.name.toLowerCase(), entry.description.toLowerCase()];
    const score = words.reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : 0) + (text.includes(word) ? 1 : 0),
      0,
    );
    return { entry, score };
  });
  const fitting = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return { results: fitting.slice(0, limit).map(({ entry }) => entry), total: fitting.length };
}
