import { appendFile, rm } from "node:fs/promises";
import path from "node:path";
import type { GitCommands } from "../../git/git-commands.ts";
import { openMirror } from "../../git/mirror.ts";
import type { ResolvedRef } from "../../git/remote-refs.ts";
import { SyncFailure } from "../../sync-failure.ts";
import { cannotFetch, type FetchContext } from "../fetch-context.ts";
import { GIT_FETCH_LIMITS } from "./git-session.ts";

/** Points to the commit that was fetched. */
export const FETCHED = "refs/skills/head";
/** All that a server shows, with its history. */
export const EVERYTHING: readonly string[] = [
  "+refs/heads/*:refs/skills/heads/*",
  "+refs/tags/*:refs/skills/tags/*",
];
/** Names of objects in one command; Windows allows 32,767 characters. */
const NAMES_AT_ONCE = 300;
const SUBMODULE_MODE = "160000";

export type Mirror = Awaited<ReturnType<typeof openMirror>>;

interface ContentFetch {
  readonly git: GitCommands;
  readonly wanted: ResolvedRef;
  /** The folder of the repository that is wanted. */
  readonly inside: string | undefined;
  /** Where the repository is kept meanwhile. */
  readonly folder: string;
  readonly context: FetchContext;
}

/** Fetches one commit, with the files of one folder or with all. */
export async function fetchContent(fetching: ContentFetch): Promise<Mirror> {
  const { git, wanted, folder } = fetching;
  const open = (): Promise<Mirror> => openMirror(folder, wanted, git, GIT_FETCH_LIMITS);
  if (fetching.inside !== undefined) {
    const mirror = await open();
    if (await fetchNarrow(fetching, mirror, fetching.inside)) return mirror;
    await rm(folder, { recursive: true, force: true });
  }
  const mirror = await open();
  await fetchWhole(fetching, mirror);
  return mirror;
}

/**
 * Fetches the tree of a commit, then only the files below one folder: of a large repository that is a small part. Returns
 * false if the server does not give out single files.
 */
async function fetchNarrow(
  { git, wanted, folder, context }: ContentFetch,
  mirror: Mirror,
  inside: string,
): Promise<boolean> {
  const onProgress = reportReceiving(git, context);
  // Else the server takes files of a commit that we have for files that we have.
  await appendFile(path.join(folder, "config"), "[fetch]\n\tnegotiationAlgorithm = noop\n");
  try {
    await mirror.fetchRefs(["--depth=1", "--filter=blob:none", `+${wanted.ref}:${FETCHED}`], onProgress);
    // A missing folder is refused later, when its files are listed for writing.
    const entries = await mirror.listNames(`${FETCHED}:${inside}`).catch(() => []);
    const files = entries.filter(({ mode }) => mode !== SUBMODULE_MODE).map(({ oid }) => oid);
    const names = [...new Set(files)];
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE)
      await mirror.fetchRefs(["--filter=blob:none", ...names.slice(at, at + NAMES_AT_ONCE)], onProgress);
    return true;
  } catch (error) {
    if (isRefusedByServer(error)) return false;
    throw error;
  }
}

export const isRefusedByServer = (error: unknown): boolean =>
  error instanceof SyncFailure && /^(?:git-failed|not-found)$/.test(error.code);

async function fetchWhole(
  { git, wanted: { commit, ref }, folder, context }: ContentFetch,
  mirror: Mirror,
): Promise<void> {
  const onProgress = reportReceiving(git, context);
  try {
    return await mirror.fetchRefs(["--depth=1", `+${ref}:${FETCHED}`], onProgress);
  } catch (error) {
    if (ref !== commit || !isRefusedByServer(error)) throw error;
  }
  // Some servers give out only what a branch or tag points to, so the commit is found in their history.
  await mirror.fetchRefs(EVERYTHING, onProgress);
  await git.local(["update-ref", FETCHED, commit], { folder }).catch((error: unknown) => {
    const { url } = git.repo;
    const words = `${url} has no commit ${commit}; a force-push may have removed it. Choose another one.`;
    throw cannotFetch(context.source, "not-found", words, error);
  });
}

/** Git writes its progress to stderr, several times a second. */
export function reportReceiving({ repo }: GitCommands, context: FetchContext): (text: string) => void {
  return (text) => {
    const percent = [...text.matchAll(/Receiving objects:\s+(\d+)%/g)].at(-1)?.[1];
    if (percent !== undefined) context.progress(`receiving ${repo.url}: ${percent} %`);
  };
}
