import fs from "node:fs";
import { sortedInSteps } from "../../catalog/sort-in-steps.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { monotonicMs } from "../../system/clock.ts";
import { realpath } from "../../system/file-system.ts";
import { createPace, type Pace, runPaced } from "../../system/time-slice.ts";
import { type FolderNode, type FoundFile, folderAt, newFolder } from "./folder-tree.ts";
import { type Followed, followLater, followNow, type Link, NO_FOLDER } from "./follow-link.ts";
import { gather } from "./gather-walk.ts";
import { EMPTY_LISTING, type Layout } from "./listing.ts";
import { type FolderLook, lookAtNew, lookInSteps, lookLater, lookNow } from "./look-at-folder.ts";
import { workThrough } from "./paced-queue.ts";

export interface Walk {
  /** The root after every link is resolved: once, so that a link turned meanwhile does not mix two trees. */
  readonly realDir: string;
  readonly files: readonly FoundFile[];
  /** Every real folder that was entered: what a watcher has to watch. */
  readonly folders: () => ReadonlySet<string>;
  /** Those of them that hold no skill file and do not lie below one. */
  readonly outside: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Where broken links lead: what appears there belongs to this walk. */
  readonly awaited: readonly string[];
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
}

/** Folders in which something changed, with the names that did; undefined when they are not known. */
export type Touched = ReadonlyMap<string, ReadonlySet<string> | undefined>;

export interface WalkLook {
  /** Only these folders are asked for; the rest is as it was. Undefined: everything is asked for. */
  readonly touched?: Touched | undefined;
  /** Told of each real folder just before it is read. */
  readonly onFolder?: ((realDir: string) => void) | undefined;
  /** See `FolderLook`. */
  readonly remember: boolean;
}

/** Finds every skill file below one root, and remembers the folders. */
export interface Walker {
  /** The very same walk when nothing differs, and the files that may have changed, or "all". */
  walk(look: WalkLook): Promise<{ readonly walk: Walk; readonly unsure: Unsure }>;
  /** Asks for everything at the next look. */
  forget(): void;
  /** The folders from which all that is remembered can be reached. */
  starts(): readonly FolderNode[];
  /** Takes up what was remembered in an earlier run. */
  restore(starts: readonly FolderNode[]): void;
  /** How often a folder had to be listed. */
  listings(): number;
}

/** The files that a look has to ask for. */
export type Unsure = "all" | ReadonlySet<FoundFile>;

export interface WalkerOptions {
  readonly rootDir: string;
  readonly layout: Layout;
  readonly pace: Pace;
  readonly now: () => number;
}

/** A folder with more entries than this is looked at in steps. */
const LARGE_FOLDER = 1_000;
/** What a folder that has more has itself, at the least, on common file systems. */
const LARGE_FOLDER_BYTES = 20_000;
/** As many as can be taken at once. */
const HUGE_FOLDER = 20_000;
const HUGE_FOLDER_BYTES = 1_000_000;

/** One walk, of which nothing is remembered. */
export async function walkRoot(
  rootDir: string,
  layout: Layout,
  onFolder?: (realDir: string) => void,
): Promise<Walk> {
  const pace = createPace(monotonicMs);
  const walker = createWalker({ rootDir, layout, pace, now: Date.now });
  return (await walker.walk({ onFolder, remember: false })).walk;
}

/**
 * Searches at any depth. Linked folders are entered, but each real folder once, so loops end. Links are followed after all
 * plain folders, in order, so the same tree always gives the same answer.
 */
export function createWalker({ rootDir, layout, pace, now }: WalkerOptions): Walker {
  let root: FolderNode | undefined;
  let linked: ReadonlyMap<string, FolderNode> = new Map();
  let followed: ReadonlyMap<string, Followed> = new Map();
  /** Links that led to no folder: mostly to files, which may lie anywhere. */
  let toFiles: readonly Link[] = [];
  let last: Walk | undefined;
  let listings = 0;

  return {
    async walk({ touched, onFolder, remember }) {
      const realDir = pace.isQuick() ? fs.realpathSync.native(rootDir) : await realpath(rootDir);
      if (root === undefined || root.realDir !== realDir) {
        root = newFolder(rootDir, realDir, 0);
        linked = new Map();
        toFiles = [];
        last = undefined;
      }
      const start = root;
      const before = last;
      // Whatever fails from here on, the next look asks for everything.
      last = undefined;
      const partial = touched !== undefined && before !== undefined;
      const onListing = (): void => void listings++;
      const look: FolderLook = { layout, now, remember, onListing };
      const seen = new Set<FolderNode>();
      let differs = !partial;
      const note = (node: FolderNode, changed: boolean): void => {
        differs ||= changed;
        if (partial) seen.add(node);
      };
      const isDue = (node: FolderNode): boolean => !partial || node.due !== "nothing";
      const isNew = start.listing === EMPTY_LISTING;
      const startBytes = isNew && pace.isQuick() ? fs.statSync(realDir).size : 0;
      const isLargeStart = startBytes >= LARGE_FOLDER_BYTES;
      // Then every folder is new, and nobody is told of it.
      const isFirst = isNew && !remember && onFolder === undefined;
      const isLarge = (node: FolderNode): boolean =>
        isDue(node) && (node.listing.entries > LARGE_FOLDER || (isLargeStart && node === start));
      const visit = {
        large: {
          is: isLarge,
          inSteps: async (node: FolderNode): Promise<void> => {
            onFolder?.(node.realDir);
            const isHuge = node.listing.entries > HUGE_FOLDER || startBytes > HUGE_FOLDER_BYTES;
            note(node, await lookInSteps(node, look, pace, isHuge));
          },
        },
        now: (node: FolderNode): number => {
          onFolder?.(node.realDir);
          note(node, lookNow(node, look));
          return node.listing.entries;
        },
        later: async (node: FolderNode): Promise<void> => {
          onFolder?.(node.realDir);
          note(node, await lookLater(node, look));
        },
      };
      const unsure = (): Unsure => (partial ? filesOf(seen) : "all");
      // A folder that came or went anywhere may be on the way of a link.
      const mustFollowAgain = touched !== undefined && followed.size > 0 && !areFiles(touched, layout);
      if (touched !== undefined && before !== undefined) {
        const marked = mark(touched, [start, ...linked.values()]);
        await workThrough(marked.folders, pace, visit);
        const stillThere = {
          now(link: Link): number {
            differs ||= followNow(link) !== NO_FOLDER;
            return 1;
          },
          async later(link: Link): Promise<void> {
            differs ||= (await followLater(link)) !== NO_FOLDER;
          },
        };
        await workThrough(toFiles, pace, stillThere);
        differs ||= marked.hasDeeper || mustFollowAgain;
        if (!differs) {
          last = before;
          return { walk: before, unsure: unsure() };
        }
      }

      const gathering = gather(rootDir, onFolder !== undefined);
      const known = followed;
      const lead = new Map<string, Followed>();
      const follow = {
        now(link: Link): number {
          lead.set(link.shown, followNow(link));
          return 1;
        },
        later: async (link: Link): Promise<void> => void lead.set(link.shown, await followLater(link)),
      };
      const isRemembered = ({ folder, shown }: Link): boolean =>
        partial && !mustFollowAgain && !seen.has(folder) && (known.get(shown) ?? NO_FOLDER) !== NO_FOLDER;
      const enterAll = (from: FolderNode): Promise<void> => {
        const queue = [from];
        return workThrough(queue, pace, {
          large: {
            is: isLarge,
            async inSteps(node) {
              if (!gathering.enter(node)) return;
              await visit.large.inSteps(node);
              gathering.add(node, queue);
            },
          },
          now(node) {
            if (!gathering.enter(node)) return 0;
            if (isFirst) lookAtNew(node, look);
            else if (isDue(node)) visit.now(node);
            gathering.add(node, queue);
            return node.listing.entries;
          },
          async later(node) {
            if (!gathering.enter(node)) return;
            if (isDue(node)) await visit.later(node);
            gathering.add(node, queue);
          },
        });
      };

      await enterAll(start);
      const used = new Map<string, FolderNode>();
      const leadingToFiles: Link[] = [];
      for (let links = gathering.takeLinks(); links.length > 0; links = gathering.takeLinks()) {
        for (const link of links.filter(isRemembered))
          lead.set(link.shown, known.get(link.shown) ?? NO_FOLDER);
        await workThrough(
          links.filter((link) => !isRemembered(link)),
          pace,
          follow,
        );
        await runPaced(gathering.knowFolders(), pace);
        for (const link of links) {
          const where = lead.get(link.shown) ?? NO_FOLDER;
          if (where === NO_FOLDER) leadingToFiles.push(link);
          const target = gathering.follow(where);
          if (target === undefined || gathering.folders().has(target)) continue;
          const node = linkedFolder(link, target, linked.get(target));
          used.set(target, node);
          await enterAll(node);
        }
      }
      linked = used;
      followed = lead;
      toFiles = leadingToFiles;
      const files = await runPaced(sortedInSteps(gathering.files, byDepthThenPath), pace);
      last = { realDir, files, ...gathering.finish() };
      return { walk: last, unsure: unsure() };
    },
    forget() {
      last = undefined;
    },
    starts: () => (root === undefined ? [] : [root, ...linked.values()]),
    restore([first, ...others]) {
      root = first?.dir === rootDir ? first : undefined;
      linked = new Map(others.map((node) => [node.realDir, node]));
    },
    listings: () => listings,
  };
}

/** The folder behind a link; what is known of it stays as long as it is shown in the same place. */
function linkedFolder({ folder, shown }: Link, realDir: string, known: FolderNode | undefined): FolderNode {
  const depth = folder.depth + 1;
  return known?.dir === shown && known.depth === depth ? known : newFolder(shown, realDir, depth);
}

/** The remembered folders at these places. What bears one of the names is asked for with all that lies below it. */
function mark(touched: Touched, starts: readonly FolderNode[]) {
  const folders: FolderNode[] = [];
  let hasDeeper = false;
  for (const [realDir, names] of touched) {
    for (const start of starts) {
      const node = folderAt(start, realDir);
      if (node === undefined) continue;
      folders.push(node);
      // Whatever its times say: they may be those of another folder in its place.
      node.identity = undefined;
      for (const [index, child] of node.children.entries()) {
        if (names !== undefined && !names.has(node.listing.folders[index] ?? "")) continue;
        child.due = "everything below";
        hasDeeper = true;
      }
      if (node.listing.links.some((name) => names === undefined || names.has(name))) hasDeeper = true;
    }
  }
  return { folders, hasDeeper };
}

/** Whether only skill files were touched. */
function areFiles(touched: Touched, layout: Layout): boolean {
  for (const names of touched.values()) {
    if (names === undefined) return false;
    for (const name of names) if (!layout.isSkillFile(name)) return false;
  }
  return true;
}

function filesOf(folders: ReadonlySet<FolderNode>): ReadonlySet<FoundFile> {
  const files = new Set<FoundFile>();
  for (const { found } of folders) for (const file of found) files.add(file);
  return files;
}

function byDepthThenPath(a: FoundFile, b: FoundFile): number {
  if (a.depth !== b.depth) return a.depth - b.depth;
  if (a.dir !== b.dir) return a.dir < b.dir ? -1 : 1;
  return a.fileName < b.fileName ? -1 : 1;
}
