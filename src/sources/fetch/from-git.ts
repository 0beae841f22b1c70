import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { GitAddress } from "../address/source-address.ts";
import { createGitCommands, type GitCommands } from "../git/git-commands.ts";
import { usesToken } from "../git/git-environment.ts";
import { GIT_LIMITS, type GitLimits } from "../git/git-limits.ts";
import { openMirror } from "../git/mirror.ts";
import { createRedactor } from "../git/redact.ts";
import { createGitRunner } from "../git/run-git.ts";
import { SyncFailure } from "../sync-failure.ts";
import { planTree, type TreeEntry } from "../versions/tree-plan.ts";
import { requireSpace } from "../versions/version-cache.ts";
import { cannotFetch, type FetchContext, type FetchedContent } from "./fetch-context.ts";
import { REPOSITORY_LIMITS } from "./limits.ts";
import { isFullCommit, isShortCommit, parseRemoteRefs, type ResolvedRef, resolveRef } from "./remote-refs.ts";

const LIMITS: GitLimits = { ...GIT_LIMITS, ...REPOSITORY_LIMITS };
/** These systems ignore case in file names. */
const FOLDS_CASE = process.platform === "win32" || process.platform === "darwin";
const FETCHED = "refs/skills/head";
const MOST_WARNINGS = 5;

type Mirror = Awaited<ReturnType<typeof openMirror>>;

/** Fetches one commit of a repository without its history, and writes its files below `work/tree`, where they are in it. */
export function fetchGit(address: GitAddress, work: string, context: FetchContext): Promise<FetchedContent> {
  return withGit(address, work, context, async (git) => {
    context.progress(`looking up ${git.repo.url}`);
    const wanted = await findCommit(git, address, work, context);
    const mirrorFolder = path.join(work, "git");
    const mirror = await openMirror(mirrorFolder, wanted.commit, git, LIMITS);
    await fetchCommit(mirror, wanted, context);
    const commit = await readCommit(mirrorFolder, wanted);
    const entries = narrowed(await mirror.list(commit), address, context);
    const tree = path.join(work, "tree");
    await mkdir(tree);
    context.progress(`writing ${entries.length} files of ${git.repo.url}`);
    await requireSpace(work, entries);
    await mirror.checkout(entries, tree);
    await rm(mirrorFolder, { recursive: true, force: true });
    return { folder: tree, commit };

    function narrowed(all: readonly TreeEntry[], { path: inside }: GitAddress, c: FetchContext) {
      return all.filter(() => inside !== undefined || c !== undefined);
    }
  });
}
