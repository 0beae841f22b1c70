import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { platform } from "#util";
import type { GitAddress } from "../../address/source-address.ts";
import type { GitCommands } from "../../git/git-commands.ts";
import { openMirror } from "../../git/mirror.ts";
import {
  isFullCommit,
  isShortCommit,
  parseRemoteRefs,
  type RemoteRefs,
  type ResolvedRef,
  resolveRef,
} from "../../git/remote-refs.ts";
import { SyncFailure } from "../../sync-failure.ts";
import { planTree, type TreeEntry } from "../../versions/tree-plan.ts";
import { requireSpace } from "../../versions/version-cache.ts";
import { cannotFetch, type FetchContext, type FetchedContent } from "../fetch-context.ts";
import {
  EVERYTHING,
  FETCHED,
  fetchContent,
  isRefusedByServer,
  type Mirror,
  reportReceiving,
} from "./fetch-content.ts";
import { GIT_FETCH_LIMITS, withGit } from "./git-session.ts";

const MOST_WARNINGS = 5;

/**
 * Fetches one commit of a repository without its history and writes its files, or those below the address's folder, to
 * `<work>/tree`, at the paths that they have in the repository.
 */
export function fetchGit(address: GitAddress, work: string, context: FetchContext): Promise<FetchedContent> {
  return withGit(address.repo, work, context, async (git) => {
    context.progress(`asking ${git.repo.url} for its newest commit`);
    const wanted = await findCommit(git, address, work, context);
    const folder = path.join(work, "git");
    const mirror = await fetchContent({ git, wanted, inside: address.path, folder, context });
    const commit = await revision(git, folder, `${FETCHED}^{commit}`);
    const entries = await planEntries(mirror, commit, address, context);
    const tree = path.join(work, "tree");
    const target = path.join(tree, address.path ?? "");
    await mkdir(target, { recursive: true });
    await requireSpace(work, entries);
    context.progress(`writing ${entries.length} files of ${git.repo.url}`);
    await mirror.checkout(entries, target);
    await rm(folder, { recursive: true, force: true });
    return { folder: tree, commit };
  });
}

/** The commit that the address names now. */
export function newestCommit(address: GitAddress, work: string, context: FetchContext): Promise<string> {
  return withGit(address.repo, work, context, async (git) => {
    return (await findCommit(git, address, work, context)).commit;
  });
}

/** Folders of a repository, and two commits of it. */
export interface ComparedFolders {
  readonly from: string;
  readonly to: string;
  /** With `/`; empty for the whole. */
  readonly folders: readonly string[];
}

/**
 * Whether folders have the same files in two commits, by the names of their objects: only the trees are fetched. A folder is left out
 * where that cannot be told: one of the commits does not have it, or has links in it, or the server does not give out that commit.
 */
export function compareFolders(
  address: GitAddress,
  { from, to, folders }: ComparedFolders,
  work: string,
  context: FetchContext,
): Promise<ReadonlyMap<string, boolean>> {
  return withGit(address.repo, work, context, async (git) => {
    // The first one is written in a lock, which comes with a project, and must not become an option of git.
    if (!isFullCommit(from) || !isFullCommit(to)) return new Map();
    const mirror = await openMirror(path.join(work, "git"), { commit: to, ref: to }, git, GIT_FETCH_LIMITS);
    const same = new Map<string, boolean>();
    try {
      await mirror.fetchRefs(["--depth=1", "--filter=blob:none", from, to], reportReceiving(git, context));
    } catch (error) {
      if (isRefusedByServer(error)) return same;
      throw error;
    }
    const filesIn = async (commit: string, folder: string): Promise<string | undefined> => {
      const entries = await mirror.listNames(`${commit}:${folder}`).catch(() => []);
      const isTold = entries.length > 0 && entries.every(({ mode }) => mode.startsWith("100"));
      return isTold ? JSON.stringify(entries.map(({ path: file, oid }) => [file, oid])) : undefined;
    };
    for (const folder of folders) {
      const [before, after] = [await filesIn(from, folder), await filesIn(to, folder)];
      if (before !== undefined && after !== undefined) same.set(folder, before === after);
    }
    return same;
  });
}

async function findCommit(
  git: GitCommands,
  { ref }: GitAddress,
  work: string,
  context: FetchContext,
): Promise<ResolvedRef> {
  const exact = context.commit ?? (ref !== undefined && isFullCommit(ref) ? ref : undefined);
  if (exact !== undefined) return { commit: exact, ref: exact };
  const refs = await listRefs(git, ref);
  const found = resolveRef(refs, ref);
  if (found !== undefined) return found;
  const isKnown = ref !== undefined && isShortCommit(ref);
  const commit = isKnown ? await findShortCommit(git, ref, refs, work, context) : undefined;
  if (commit !== undefined) return { commit, ref: commit };
  const { url } = git.repo;
  if (ref === undefined)
    throw cannotFetch(context.source, "not-found", `${url} is empty; push a commit to it.`);
  const way = refs.defaultBranch === undefined ? "" : `; its default branch is '${refs.defaultBranch}'`;
  throw cannotFetch(context.source, "not-found", `${url} has no branch, tag or commit '${ref}'${way}.`);
}

async function listRefs(git: GitCommands, ref: string | undefined): Promise<RemoteRefs> {
  const patterns = ref === undefined ? [] : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`];
  const args = ["ls-remote", "--symref", "--", git.repo.url, "HEAD", ...patterns];
  const listing = await git.network(args, { timeoutMs: GIT_FETCH_LIMITS.listMs });
  return parseRemoteRefs(listing.toString());
}

/** Servers know only full names of commits, so the history is fetched, without files where the server can leave them out. */
async function findShortCommit(
  git: GitCommands,
  ref: string,
  { head }: RemoteRefs,
  work: string,
  context: FetchContext,
): Promise<string | undefined> {
  const folder = path.join(work, "history");
  const mirror = await openMirror(folder, { commit: head ?? "", ref: "HEAD" }, git, GIT_FETCH_LIMITS);
  try {
    await mirror.fetchRefs(["--filter=tree:0", ...EVERYTHING], reportReceiving(git, context));
    return await revision(git, folder, `${ref.toLowerCase()}^{commit}`).catch(() => undefined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function revision(git: GitCommands, folder: string, name: string): Promise<string> {
  const output = await git.local(["rev-parse", "--verify", "--end-of-options", name], { folder });
  return output.toString().trim();
}

/** The entries to write, relative to the address's folder; what must not be written is left out and logged. */
async function planEntries(
  mirror: Mirror,
  commit: string,
  address: GitAddress,
  { source, log }: FetchContext,
): Promise<readonly TreeEntry[]> {
  const { path: inside, repo } = address;
  const all = await mirror
    .list(inside === undefined ? commit : `${commit}:${inside}`)
    .catch((error: unknown) => {
      if (inside === undefined || !(error instanceof SyncFailure) || error.code !== "git-failed") throw error;
      const words = `${repo.url} has no folder '${inside}' at ${commit.slice(0, 12)}; check the path.`;
      throw cannotFetch(source, "not-found", words, error);
    });
  const { kept, findings } = planTree(all, await mirror.linkTargets(all), GIT_FETCH_LIMITS, platform.files);
  for (const { path: file, message } of findings.slice(0, MOST_WARNINGS))
    log.warn(`${repo.url}: ${file} is left out: ${message}`);
  if (findings.length > MOST_WARNINGS)
    log.warn(`${repo.url}: ${findings.length - MOST_WARNINGS} more files are left out`);
  return kept;
}
