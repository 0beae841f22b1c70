import {
  type Awaitable,
  createTimeSlices,
  type Disk,
  fingerprintOf,
  isInside,
  mayChangeUnseen,
  POOLED_DISK,
  platform,
  realpath,
  runQueue,
  type TimeSlices,
  whenReady,
} from "#util";
import type { Diagnostic } from "../skill/diagnostic.ts";
import {
  type FolderLink,
  followLink,
  isInMadeUp,
  isMadeUp,
  type LinkBounds,
  type LinkTarget,
  leadsThroughMadeUp,
} from "./links.ts";
import {
  below,
  type CachedFolder,
  type CachedFolders,
  clean,
  type DirtyFolders,
  EMPTY_LISTING,
  type FolderLayout,
  type Listing,
  listingOf,
  placedDigest,
} from "./listing.ts";
import {
  byDepthThenPath,
  byFile,
  FOREIGN_LIMITS,
  type Folder,
  type ForeignLimits,
  type FoundFile,
  leadsOut,
  leadsToMadeUp,
  listingProblem,
  MOST_ENTRIES,
  newState,
  oddEntry,
  type ScanState,
  tooManyEntries,
  tooMuchBehindLinks,
} from "./scan-state.ts";

export interface Traversal {
  /** The root after every link is resolved: once, so that a link changed meanwhile does not mix two trees. */
  readonly realDir: string;
  /** Nearest to the root first, then by path. */
  readonly files: readonly FoundFile[];
  /** Every real folder that was entered: what a watcher has to watch. */
  readonly folders: ReadonlySet<string>;
  /** The entered folders that neither contain a skill file nor lie below one. */
  readonly outside: readonly string[];
  /** Where the settings of skills lie, or would lie. */
  readonly settings: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where broken links lead: what appears there belongs to this root. */
  readonly awaited: readonly string[];
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  /** The real folders of skill files that have other visible files in them or below. */
  readonly withFiles: ReadonlySet<string>;
  readonly cached: CachedFolders;
}

/** How to scan. */
export interface ScanContext {
  /** The folders to examine, if everything else is known to be unchanged; undefined: examine every folder. */
  readonly dirty?: DirtyFolders | undefined;
  /** Called with each real folder just before it is listed. */
  readonly onFolder?: ((realDir: string) => void) | undefined;
  readonly disk: Disk;
  readonly slices: TimeSlices;
  /** Where links may lead beside the root itself. */
  readonly bounds?: LinkBounds | undefined;
}

/** Finds the skill files below one root. `restored` is what an earlier run knew of its folders. */
export type Traverse = (context: ScanContext, restored?: CachedFolders) => Promise<Traversal>;

/** More would only wait for the thread pool. */
const FOLDERS_AT_ONCE = 16;

/** One traversal without a cache. */
export function traverseRoot(
  rootDir: string,
  layout: FolderLayout,
  onFolder?: (realDir: string) => void,
): Promise<Traversal> {
  const context = { disk: POOLED_DISK, slices: createTimeSlices() };
  return createTraverse(rootDir, { layout, named: true, now: Date.now })({ ...context, onFolder });
}

interface TraverseOptions {
  readonly layout: FolderLayout;
  /** The user named the root: wherever it leads is where they want it to lead. */
  readonly named: boolean;
  /** The real folder that no link may lead out of. */
  readonly within?: string | undefined;
  readonly now: () => number;
  readonly foreign?: ForeignLimits;
}

/**
 * Searches at any depth. Linked folders are entered, but each real folder once, so loops end. Links are followed after
 * all plain folders, in order, so the same tree always gives the same result.
 */
export function createTraverse(rootDir: string, options: TraverseOptions): Traverse {
  const { layout, named, within, now, foreign = FOREIGN_LIMITS } = options;
  let last: CachedFolders | undefined;
  return async (context, restored) => {
    const before = last;
    // Should this scan fail, the next one examines everything.
    last = undefined;
    const realDir = await realpath(rootDir);
    const state = newState(layout, foreign);
    const cached = new Map<string, CachedFolder>();
    const isPartial = context.dirty !== undefined && before !== undefined;
    const known = isPartial ? clean(before, context.dirty) : (before ?? restored);
    const isElsewhere = realDir !== rootDir;
    const isForeign = isElsewhere && !named && (await context.bounds?.isOwn(realDir)) !== true;
    const realRoot = isForeign ? undefined : realDir;
    const scan = { ...context, layout, now, state, known, isPartial, cached, realRoot, within };
    const isRefused =
      isElsewhere && ((await leadsThroughMadeUp(rootDir)) || (isForeign && isInMadeUp(realDir)));
    if (isRefused) state.diagnostics.push(leadsToMadeUp(rootDir));
    else await enter({ dir: rootDir, realDir, depth: 0, isInSkill: false, isForeign }, scan);
    while (state.links.length > 0) await followLinks(state.links.splice(0), scan);
    if (state.entriesLeft < 0) state.diagnostics.push(tooManyEntries(rootDir, MOST_ENTRIES));
    last = cached;
    await context.slices.yieldIfDue();
    const { entered: folders, outside, diagnostics, awaited, withFiles, digest: listing } = state;
    const { files, places: settings } = state.settings.addedTo(state.files);
    files.sort(byDepthThenPath);
    diagnostics.sort(byFile);
    return { realDir, files, folders, outside, settings, diagnostics, awaited, listing, withFiles, cached };
  };
}

interface RunningScan extends ScanContext {
  readonly layout: FolderLayout;
  readonly now: () => number;
  readonly state: ScanState;
  /** What the last scan listed; undefined in the very first one. */
  readonly known: CachedFolders | undefined;
  /** Whether what is known still holds; otherwise it is compared with the disk. */
  readonly isPartial: boolean;
  /** What this scan listed. */
  readonly cached: Map<string, CachedFolder>;
  /** The real root; undefined where a link leads out with all of it. */
  readonly realRoot: string | undefined;
  readonly within: string | undefined;
}

/** Enters a folder and all below it that are no links. */
async function enter(start: Folder, scan: RunningScan): Promise<void> {
  const { state, known, isPartial, slices } = scan;
  const visit = (folder: Folder, add: (folder: Folder) => void): Awaitable<void> => {
    if (state.entriesLeft < 0 || state.entered.has(folder.realDir)) return;
    if (folder.isForeign && (state.foreignFilesLeft < 0 || --state.foreignFoldersLeft < 0))
      return reportForeign(start, state);
    state.entered.add(folder.realDir);
    const before = known?.get(folder.realDir);
    const isListed = !(isPartial && before !== undefined);
    return whenReady(isListed ? examine(folder, before, scan) : before, (cached) => {
      // What failed is tried again, whatever the watcher reports: too many files may have been open.
      if (cached.listing.failure === undefined) scan.cached.set(folder.realDir, cached);
      if (folder.isForeign && (state.foreignFilesLeft -= cached.listing.files.length) < 0)
        return reportForeign(start, state);
      collect(folder, cached.listing, { state, known, isListed, add, except: scan.layout.except });
    });
  };
  // One after the other where there is a limit, so that the same folders are always the last ones.
  await runQueue([start], start.isForeign ? 1 : FOLDERS_AT_ONCE, visit, slices);
}

/** Once for each root, at the first link behind which there is too much. */
function reportForeign({ dir }: Folder, { diagnostics }: ScanState): void {
  const found = tooMuchBehindLinks(dir);
  if (!diagnostics.some(({ code, message }) => code === found.code && message === found.message))
    diagnostics.push(found);
}

/** Lists a folder, unless it has the same fingerprint as before: then it has the same entries, where folders have times. */
function examine(
  { dir, realDir }: Folder,
  before: CachedFolder | undefined,
  { disk, layout, now, known, onFolder }: RunningScan,
): Awaitable<CachedFolder> {
  onFolder?.(realDir);
  const startedAt = now();
  // The very first scan has nothing to compare, and a client waits for it.
  const stats = platform.files.foldersHaveTimes && known !== undefined ? disk.lstat(realDir) : undefined;
  return whenReady(stats, (stats) => {
    const fingerprint = stats && fingerprintOf(stats);
    if (before?.fingerprint !== undefined && before.fingerprint === fingerprint) {
      return before.dir === dir ? before : { ...before, dir };
    }
    const isCertain = stats !== undefined && !mayChangeUnseen(stats, startedAt);
    return whenReady(disk.list(realDir), (entries) => ({
      dir,
      listing:
        "failure" in entries ? { ...EMPTY_LISTING, failure: entries.failure } : listingOf(entries, layout),
      fingerprint: isCertain ? fingerprint : undefined,
    }));
  });
}

interface Collecting {
  readonly state: ScanState;
  readonly known: CachedFolders | undefined;
  readonly isListed: boolean;
  readonly add: (folder: Folder) => void;
  readonly except: ReadonlySet<string> | undefined;
}

/** Takes what a folder holds; the folders in it are added to the queue. */
function collect(folder: Folder, listing: Listing, collecting: Collecting): void {
  const { state, known, isListed, add, except } = collecting;
  const { dir, realDir, isForeign } = folder;
  const depth = folder.depth + 1;
  state.entriesLeft -= listing.entries;
  if (state.entriesLeft < 0) return;
  for (const file of listing.files) state.files.push(foundFile(folder, file, isListed));
  state.settings.note(realDir, listing, isListed);
  const isInSkill = folder.isInSkill || listing.files.length > 0;
  if (isInSkill) state.digest = (state.digest + placedDigest(listing.digest, realDir)) | 0;
  else state.outside.push(realDir);
  // A skill inside a skill is one of its files, and a link may lead to a file.
  const visible = listing.visible + listing.links.length;
  if (folder.skillDir !== undefined && visible > 0) state.withFiles.add(folder.skillDir);
  if (listing.files.length > 0 && visible > 1) state.withFiles.add(realDir);
  const isResource = listing.files.length > 0;
  const nearest = isResource ? realDir : folder.skillDir;
  for (const name of listing.folders) {
    const child = knownPath(below(dir, name), known);
    if (except?.has(child) === true || isMadeUp(realDir, name)) continue;
    const skillDir = name.startsWith(".") ? undefined : nearest;
    // One string where both paths are the same: most folders are reached by no link.
    const realChild = dir === realDir ? child : below(realDir, name);
    add({ dir: child, realDir: realChild, depth, isInSkill, isForeign, skillDir });
  }
  for (const name of listing.links) {
    state.links.push({ shown: below(dir, name), name, realDir, depth, isResource });
  }
  for (const [name, kind] of listing.odd) state.diagnostics.push(oddEntry(below(dir, name), name, kind));
  const problem = listing.failure === undefined ? undefined : listingProblem(dir, listing.failure);
  if (problem !== undefined) state.diagnostics.push(problem);
}

/** Returns the string of the last scan for an equal path: paths are most of the memory of many skills, so each is kept once. */
function knownPath(folder: string, known: CachedFolders | undefined): string {
  const before = known?.get(folder)?.dir;
  return before === folder ? before : folder;
}

function foundFile({ dir, realDir, depth }: Folder, file: Listing["files"][number], isListed: boolean) {
  const found: FoundFile = { dir, realDir, fileName: file.name, isLink: file.isLink, depth, isListed };
  return file.companion === undefined ? found : { ...found, companion: file.companion };
}

/** Enters the folders that links lead to, one after the other, so that the first link by path gets a folder. */
async function followLinks(links: readonly FolderLink[], scan: RunningScan): Promise<void> {
  const { state, realRoot, within, bounds } = scan;
  const inOrder = links.toSorted((a, b) => (a.shown < b.shown ? -1 : 1));
  const targets = new Map<FolderLink, LinkTarget>();
  await runQueue(
    inOrder,
    FOLDERS_AT_ONCE,
    async (link) => void targets.set(link, await followLink(link, scan.disk)),
  );
  for (const link of inOrder) {
    const { realDir, awaited, diagnostic } = targets.get(link) as LinkTarget;
    state.awaited.push(...awaited);
    if (diagnostic !== undefined) state.diagnostics.push(diagnostic);
    if (realDir === undefined || state.entered.has(realDir)) continue;
    if (within !== undefined && !isInside(within, realDir)) {
      state.diagnostics.push(leadsOut(link.shown));
      continue;
    }
    const isOwn =
      (realRoot !== undefined && isInside(realRoot, realDir)) || (await bounds?.isOwn(realDir)) === true;
    const folder = { dir: link.shown, realDir, depth: link.depth, isInSkill: false, isForeign: !isOwn };
    if (!isOwn && isInMadeUp(realDir)) state.diagnostics.push(leadsToMadeUp(link.shown));
    else await enter(folder, scan);
  }
}
