import fs, { type Dirent, type Stats } from "node:fs";
import type { Steps } from "../../catalog/steps.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { describeError, errorCode, lstat, readdir } from "../../system/file-system.ts";
import { type Identity, identityOf, mayChangeUnseen } from "../../system/fingerprint.ts";
import { type Pace, runPaced } from "../../system/time-slice.ts";
import { type FolderNode, setFirstListing, setListing, setListingSteps } from "./folder-tree.ts";
import { EMPTY_LISTING, type Layout, listingOf, listingSteps } from "./listing.ts";
import { unreadableName } from "./unreadable-name.ts";

export interface FolderLook {
  readonly layout: Layout;
  readonly now: () => number;
  /** False: the folder is listed and nothing kept that could spare the next listing; that takes a call less. */
  readonly remember: boolean;
  /** Told whenever a folder is listed in a way that spares the next listing. */
  readonly onListing: () => void;
}

const WITH_TYPES = { withFileTypes: true } as const;
/** So many entries at a time take about a millisecond. */
const AT_ONCE = 512;
const OR_NOTHING = { throwIfNoEntry: false } as const;

/** NTFS need not keep the times of folders, so there every folder is listed each time. */
const FOLDERS_HAVE_TIMES = process.platform !== "win32";

/**
 * Brings what is known of a folder up to date. A folder whose times and inode are the same has the same entries, unless it
 * changed within the grain of the clock. Answers whether its listing differs from before.
 */
export function lookNow(node: FolderNode, look: FolderLook): boolean {
  const lookedAt = look.now();
  const isDeep = node.due === "everything below";
  let listed: Dirent[] | undefined;
  let identity: Identity | undefined;
  let failure: unknown;
  try {
    if (asksForIdentity(node, look)) {
      const stats = fs.lstatSync(node.realDir, OR_NOTHING);
      if (isAsBefore(node, stats)) return settled(node, isDeep);
      identity = identityToKeep(stats, lookedAt);
    }
    listed = fs.readdirSync(node.realDir, WITH_TYPES);
  } catch (error) {
    failure = error;
  }
  const differs = take(node, look, { listed, failure, identity });
  settled(node, isDeep);
  return differs;
}

/** The same through the thread pool. */
export async function lookLater(node: FolderNode, look: FolderLook): Promise<boolean> {
  const lookedAt = look.now();
  const isDeep = node.due === "everything below";
  let listed: Dirent[] | undefined;
  let identity: Identity | undefined;
  let failure: unknown;
  try {
    if (asksForIdentity(node, look)) {
      const stats = await lstat(node.realDir).catch(() => undefined);
      if (isAsBefore(node, stats)) return settled(node, isDeep);
      identity = identityToKeep(stats, lookedAt);
    }
    listed = await readdir(node.realDir, WITH_TYPES);
  } catch (error) {
    failure = error;
  }
  const differs = take(node, look, { listed, failure, identity });
  settled(node, isDeep);
  return differs;
}

/**
 * The same for a folder of which nothing is known and nothing is to be kept. It does less on the way: a first look is over
 * before V8 has made fast code of all that.
 */
export function lookAtNew(node: FolderNode, look: FolderLook): void {
  try {
    setFirstListing(node, listingOf(fs.readdirSync(node.realDir, WITH_TYPES), look.layout));
  } catch (failure) {
    take(node, look, { listed: undefined, failure, identity: undefined });
  }
  node.due = "nothing";
}

/** The same in steps, for a folder with so many entries that to list them at once would hold up everyone. */
export async function lookInSteps(
  node: FolderNode,
  look: FolderLook,
  pace: Pace,
  isHuge = true,
): Promise<boolean> {
  const lookedAt = look.now();
  const isDeep = node.due === "everything below";
  let differs: boolean;
  try {
    const stats = asksForIdentity(node, look) ? fs.lstatSync(node.realDir, OR_NOTHING) : undefined;
    if (isAsBefore(node, stats)) return settled(node, isDeep);
    // The thread pool brings the entries in order, but all at once.
    const listed = await (isHuge
      ? runPaced(entriesOf(node.realDir), pace)
      : readdir(node.realDir, WITH_TYPES));
    const listing = await runPaced(listingSteps(listed, look.layout), pace);
    differs = await runPaced(setListingSteps(node, listing), pace);
    keepIdentity(node, look, identityToKeep(stats, lookedAt));
  } catch (failure) {
    differs = take(node, look, { listed: undefined, failure, identity: undefined });
  }
  settled(node, isDeep);
  return differs;
}

function* entriesOf(dir: string): Steps<readonly Dirent[]> {
  const entries: Dirent[] = [];
  const handle = fs.opendirSync(dir, { bufferSize: AT_ONCE });
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      entries.push(entry);
      if (entries.length % AT_ONCE === 0) yield AT_ONCE;
    }
  } finally {
    handle.closeSync();
  }
  return entries;
}

function asksForIdentity(node: FolderNode, look: FolderLook): boolean {
  return FOLDERS_HAVE_TIMES && (look.remember || node.identity !== undefined);
}

function isAsBefore({ identity }: FolderNode, stats: Stats | undefined): boolean {
  return identity !== undefined && stats !== undefined && identityOf(stats) === identity;
}

function identityToKeep(stats: Stats | undefined, lookedAt: number): Identity | undefined {
  return stats === undefined || mayChangeUnseen(stats, lookedAt) ? undefined : identityOf(stats);
}

function settled(node: FolderNode, isDeep: boolean): false {
  node.due = "nothing";
  if (isDeep) for (const child of node.children) child.due = "everything below";
  return false;
}

interface Looked {
  readonly listed: readonly Dirent[] | undefined;
  readonly failure: unknown;
  readonly identity: Identity | undefined;
}

function take(node: FolderNode, look: FolderLook, { listed, failure, identity }: Looked): boolean {
  // Without a listing it is tried again at the next look: a permission may have been given by then.
  keepIdentity(node, look, listed === undefined ? undefined : identity);
  if (listed !== undefined) return setListing(node, listingOf(listed, look.layout), undefined);
  // Deleted since its parent was read: then it is simply not there any more.
  const isGone = errorCode(failure) === "ENOENT";
  const diagnostic = isGone ? unreadableName(node.dir) : unreadable(node.dir, failure);
  return setListing(node, EMPTY_LISTING, diagnostic);
}

function keepIdentity(node: FolderNode, { onListing }: FolderLook, identity: Identity | undefined): void {
  node.identity = identity;
  if (identity !== undefined) onListing();
}

function unreadable(file: string, error: unknown): Diagnostic {
  const message = `This folder cannot be read: ${describeError(error)}.`;
  return { severity: "error", code: "unreadable", file, message };
}
