import { mkdir, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createProcessKey, type Log, parseProcessKey, processState } from "#util";
import { defined } from "#util/pure";
import { refuseForeignSource } from "../address/allowed-source.ts";
import type { SourceAddress } from "../address/source-address.ts";
import { openHostTokens } from "../credentials/host-tokens.ts";
import type { FetchedTree } from "./fetch-context.ts";
import { asRefusal, type FetchContext, type FetchedContent, shownSource } from "./fetch-context.ts";
import { fetchArchive } from "./from-archive.ts";
import { fetchFolder } from "./from-folder.ts";
import { type ComparedFolders, compareFolders, fetchGit, newestCommit } from "./git/from-git.ts";
import { FETCH_LIMITS, type FetchLimits } from "./limits.ts";
import { fetchMarketplace } from "./market/from-marketplace.ts";
import { fetchNpm, newestNpmVersion } from "./npm/from-npm.ts";
import { fetchSite, newestSiteVersion } from "./site/from-site.ts";

export interface FetchOptions {
  /** A folder on the same file system as the targets; each fetch makes its own folder below it. */
  readonly stagingFolder: string;
  /** Relative folders and archives start from it. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Called now and then with what is being done, in words for a person. */
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Instead of the address's ref: exactly this commit (for a locked install). */
  readonly commit?: string;
}

/** Brings the content of a source to a folder of its own. Throws a `Refusal`, and then leaves nothing behind. */
export async function fetchSource(
  address: SourceAddress,
  options: FetchOptions,
  limits: FetchLimits = FETCH_LIMITS,
): Promise<FetchedTree> {
  await refuseForeignSource(address);
  const context = contextOf(address, options, limits);
  return inStaging(options, context, async (staging) => {
    const { folder, commit, version, listed } = await fetchInto(address, staging.folder, context);
    context.signal?.throwIfAborted();
    return { folder, ...defined({ commit, version, listed }), dispose: staging.dispose };
  });
}

/** The newest commit or version without fetching content; undefined where the source cannot say. */
export async function newestVersion(
  address: SourceAddress,
  options: FetchOptions,
): Promise<string | undefined> {
  await refuseForeignSource(address);
  const context = contextOf(address, options, FETCH_LIMITS);
  switch (address.kind) {
    case "git":
      return inTemporaryFolder((folder) => newestCommit(address, folder, context)).catch(rethrow(context));
    case "site":
      return newestSiteVersion(address.url, context).catch(rethrow(context));
    case "npm":
      return newestNpmVersion(address, context).catch(rethrow(context));
    default:
      return undefined;
  }
}

/**
 * Which folders of a source have the same files in two of its commits, and which have not, without fetching the files. Those that
 * this cannot tell of are absent, so that their content must be compared.
 */
export async function sameFolders(
  address: SourceAddress,
  compared: ComparedFolders,
  options: FetchOptions,
): Promise<ReadonlyMap<string, boolean>> {
  if (address.kind !== "git") return new Map();
  const context = contextOf(address, options, FETCH_LIMITS);
  return inTemporaryFolder((work) => compareFolders(address, compared, work, context)).catch(
    rethrow(context),
  );
}

function fetchInto(address: SourceAddress, work: string, context: FetchContext): Promise<FetchedContent> {
  switch (address.kind) {
    case "git":
      return fetchGit(address, work, context);
    case "folder":
      return fetchFolder(address.folder, work, context);
    case "archive":
      return fetchArchive(address, work, context);
    case "marketplace":
      return fetchMarketplace(address, work, context);
    case "site":
      return fetchSite(address.url, work, context);
    default:
      return fetchNpm(address, work, context);
  }
}

export function contextOf(address: SourceAddress, options: FetchOptions, limits: FetchLimits): FetchContext {
  const { cwd, home, environment, log, onProgress, signal, commit } = options;
  const progress = (text: string): void => onProgress?.(text);
  const { find: tokenFor } = openHostTokens({ home, environment });
  return {
    source: shownSource(address),
    cwd,
    home,
    environment,
    log,
    limits,
    signal,
    commit,
    tokenFor,
    progress,
  };
}

/** Acts in a folder that is removed if anything fails. */
async function inStaging<T>(
  { stagingFolder }: FetchOptions,
  context: FetchContext,
  act: (staging: Staging) => Promise<T>,
): Promise<T> {
  let staging: Staging | undefined;
  try {
    staging = await openStaging(stagingFolder, context.limits.staleMs);
    return await act(staging);
  } catch (error) {
    await staging?.dispose().catch(() => {});
    throw asRefusal(error, context);
  }
}

/** Git needs a folder to run in, also where nothing is kept. */
async function inTemporaryFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "skills-mcp-")));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const rethrow =
  (context: FetchContext) =>
  (error: unknown): never => {
    throw asRefusal(error, context);
  };

const PREFIX = "fetch-";

interface Staging {
  /** An absolute real path of a new, empty folder. */
  readonly folder: string;
  dispose(): Promise<void>;
}

/** Makes a folder for one fetch, and removes those that killed processes have left. */
async function openStaging(parent: string, staleMs: number): Promise<Staging> {
  await mkdir(parent, { recursive: true });
  const real = await realpath(parent);
  await removeLeftovers(real, staleMs);
  const folder = path.join(real, `${PREFIX}${createProcessKey()}`);
  await mkdir(folder, { mode: 0o700 });
  return { folder, dispose: () => remove(folder) };
}

async function removeLeftovers(parent: string, staleMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    const key = name.startsWith(PREFIX) ? parseProcessKey(name.slice(PREFIX.length)) : undefined;
    if (key === undefined) continue;
    const folder = path.join(parent, name);
    const state = processState(key);
    const isLeft = state === "dead" || (state === "unknown" && (await ageOf(folder)) > staleMs);
    // Another process may be removing it as well; what stays is tried again next time.
    if (isLeft) await remove(folder).catch(() => {});
  }
}

async function ageOf(folder: string): Promise<number> {
  const stats = await stat(folder).catch(() => undefined);
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

/** A virus scanner or an ending process may hold a file for a moment. */
const remove = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
