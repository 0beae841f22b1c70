import { constants } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, realpath, symlink } from "node:fs/promises";
import path from "node:path";
import { describeError, errorCode, expandHome, isInside } from "#util";
import { isGitFolder, megabytes } from "../versions/tree-plan.ts";
import { cannotFetch, type FetchContext, type FetchedContent } from "./fetch-context.ts";
import { REPOSITORY_LIMITS } from "./limits.ts";
import { modeOf, runAll } from "./write-files.ts";

/** What is copied of a folder. Paths are below it and have `/`. */
interface FolderPlan {
  readonly folders: string[];
  readonly files: FileToCopy[];
  readonly links: LinkToCopy[];
}

interface FileToCopy {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

interface LinkToCopy {
  readonly path: string;
  /** Relative to the link's folder. */
  readonly target: string;
}

const COPIES_AT_ONCE = 8;
/** Other people's packages, which may be very many files. */
const PACKAGES = "node_modules";

/** Copies a folder of this machine, so that nothing changes while it is read, and no file is shared with it. */
export async function fetchFolder(
  given: string,
  work: string,
  context: FetchContext,
): Promise<FetchedContent> {
  const folder = await realFolder(given, context);
  await refuseOwnFolders(folder, work, context);
  const installed = (await installedFolders(context)).filter((each) => isInside(folder, each));
  context.progress(`copying ${folder}`);
  const tree = path.join(work, "tree");
  await mkdir(tree);
  await copyTree(folder, tree, [path.dirname(work), ...installed], context);
  return { folder: tree };
}

/** Copies what is below a folder, except for git's own folder, installed packages and the folders `except`. */
export async function copyTree(
  from: string,
  to: string,
  except: readonly string[],
  context: FetchContext,
): Promise<void> {
  const plan = await planCopy(from, except, context);
  for (const folder of plan.folders) await mkdir(path.join(to, folder));
  await runAll(plan.files, COPIES_AT_ONCE, async ({ path: file, mode }) => {
    context.signal?.throwIfAborted();
    // Shares the content where the disk can, until one of the two is written to; never the file itself.
    await copyFile(
      path.join(from, file),
      path.join(to, file),
      constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL,
    );
    await chmod(path.join(to, file), modeOf((mode & 0o100) !== 0));
  });
  for (const { path: link, target } of plan.links) await copyLink(path.join(to, link), target, context);
}

async function realFolder(given: string, { source, cwd, home }: FetchContext): Promise<string> {
  const asked = path.resolve(cwd, expandHome(given, home));
  try {
    const folder = await realpath(asked);
    if ((await lstat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw cannotFetch(source, "not-found", `${asked} could not be read: ${describeError(error)}.`, error);
  }
  throw cannotFetch(source, "not-found", `${asked} is not a folder; name a folder or an archive of skills.`);
}

/** Skills of the project, and of the user, are installed to these folders, so that what is in them is there already. */
async function installedFolders({ cwd, home }: FetchContext): Promise<readonly string[]> {
  const folders = [cwd, home].map((base) => path.join(base, ".agents", "skills"));
  return Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
}

async function refuseOwnFolders(folder: string, work: string, context: FetchContext): Promise<void> {
  const { source } = context;
  const [installed] = await installedFolders(context);
  if (installed !== undefined && isInside(installed, folder))
    throw cannotFetch(
      source,
      "unsafe",
      `${folder} is where skills are installed to, so they are there already; name another folder.`,
    );
  if (isInside(work, folder))
    throw cannotFetch(source, "unsafe", `${folder} is used for fetching; name another folder.`);
}

async function planCopy(root: string, except: readonly string[], context: FetchContext): Promise<FolderPlan> {
  const plan: FolderPlan = { folders: [], files: [], links: [] };
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    context.signal?.throwIfAborted();
    for (const name of await readdir(path.join(root, folder))) {
      const inside = folder === "" ? name : `${folder}/${name}`;
      if (isSkipped(name) || except.includes(path.join(root, inside))) continue;
      if (await addEntry(plan, { root, except }, inside, context)) waiting.push(inside);
    }
    checkLimits(plan, context);
  }
  return plan;
}

const isSkipped = (name: string): boolean => name === PACKAGES || isGitFolder(name);

/** Adds one entry of a folder to the plan. Returns whether it is a folder. */
async function addEntry(
  plan: FolderPlan,
  { root, except }: { readonly root: string; readonly except: readonly string[] },
  inside: string,
  context: FetchContext,
): Promise<boolean> {
  const { source, log } = context;
  const full = path.join(root, inside);
  const stats = await lstat(full);
  if (stats.isDirectory()) {
    if (inside.split("/").length > REPOSITORY_LIMITS.depth)
      throw cannotFetch(
        source,
        "too-large",
        `${full} is too deep; the limit is ${REPOSITORY_LIMITS.depth} folders.`,
      );
    plan.folders.push(inside);
    return true;
  }
  if (stats.isFile()) {
    plan.files.push({ path: inside, size: stats.size, mode: stats.mode });
  } else if (stats.isSymbolicLink()) {
    // An agent's link to an installed skill is no skill of the source either.
    const real = await realpath(full).catch(() => root);
    if (except.some((folder) => isInside(folder, real))) return false;
    const target = await targetInside(root, full);
    if (target === undefined)
      log.warn(`${full} is left out: the link points outside the source or to itself`);
    else plan.links.push({ path: inside, target });
  } else {
    throw cannotFetch(source, "unsafe", `${full} is neither a file nor a folder; remove it and try again.`);
  }
  return false;
}

function checkLimits({ files }: FolderPlan, { source }: FetchContext): void {
  const { files: most, totalBytes, fileBytes } = REPOSITORY_LIMITS;
  const large = files.find(({ size }) => size > fileBytes);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const problem =
    large !== undefined
      ? `'${large.path}' is ${megabytes(large.size)}; the limit for a file is ${megabytes(fileBytes)}`
      : files.length > most
        ? `it has more than ${most} files`
        : total > totalBytes
          ? `its files are more than ${megabytes(totalBytes)}`
          : undefined;
  if (problem !== undefined)
    throw cannotFetch(
      source,
      "too-large",
      `${source} is too large: ${problem}. Name the folder of the skills.`,
    );
}

/** Where a link leads, relative to its folder, if that is copied as well. */
async function targetInside(root: string, link: string): Promise<string | undefined> {
  const target = await realpath(link).catch(() => undefined);
  if (target === undefined || target === root || !isInside(root, target)) return undefined;
  if (path.relative(root, target).split(path.sep).some(isSkipped)) return undefined;
  const folder = await realpath(path.dirname(link));
  // A link to a folder that holds it is a loop.
  return isInside(target, folder) ? undefined : path.relative(folder, target);
}

async function copyLink(link: string, target: string, { log }: FetchContext): Promise<void> {
  try {
    await symlink(target, link);
  } catch (error) {
    // Windows allows links only to some users.
    if (errorCode(error) !== "EPERM") throw error;
    log.warn(`${link} is left out: this system does not allow links`);
  }
}
