import path from "node:path";
import { inTurn, type Steps } from "../../catalog/steps.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import type { Identity } from "../../system/fingerprint.ts";
import { EMPTY_LISTING, type ListedFile, type Listing, sameFile, sameListing } from "./listing.ts";

/** A folder that holds a skill file, by the two paths it has. */
export interface FoundFile {
  readonly dir: string;
  readonly realDir: string;
  readonly fileName: string;
  readonly isLink: boolean;
  /** How many folders lie between it and its root. */
  readonly depth: number;
  /** What lies where its companion folder is expected. */
  readonly companion?: "folder" | "link";
}

/** What is remembered of a folder between two looks. */
export interface FolderNode {
  readonly dir: string;
  readonly realDir: string;
  readonly depth: number;
  /** What the folder was like when it was listed; undefined when it has to be listed again. */
  identity: Identity | undefined;
  listing: Listing;
  /** Why it could not be listed. */
  failure: Diagnostic | undefined;
  /** One for each of `listing.folders`. */
  children: readonly FolderNode[];
  /** One for each of `listing.files`; the very same for as long as the entry is the same. */
  found: readonly FoundFile[];
  /** A skill file lies above it, so what it holds belongs to a skill. */
  belongsToSkill: boolean;
  /** What a look must ask the disk, whatever else it takes from memory. */
  due: "nothing" | "itself" | "everything below";
}

const NO_FOLDERS: readonly FolderNode[] = [];
const NO_FILES: readonly FoundFile[] = [];

export function newFolder(dir: string, realDir: string, depth: number): FolderNode {
  return {
    dir,
    realDir,
    depth,
    identity: undefined,
    listing: EMPTY_LISTING,
    failure: undefined,
    children: NO_FOLDERS,
    found: NO_FILES,
    belongsToSkill: false,
    due: "itself",
  };
}

/** Sets what a folder holds of which nothing is known. */
export function setFirstListing(node: FolderNode, listing: Listing): void {
  const { folders, files } = listing;
  node.listing = listing;
  if (folders.length > 0) node.children = folders.map((name) => newChild(node, name));
  const first = files[0];
  if (files.length > 1) node.found = files.map((file) => newFound(node, file));
  else if (first !== undefined) node.found = [newFound(node, first)];
}

/** Replaces what is known of a folder; what is still there stays the very same. Answers whether anything differs. */
export function setListing(node: FolderNode, listing: Listing, failure: Diagnostic | undefined): boolean {
  if (isKnown(node, listing, failure)) return false;
  let children = NO_FOLDERS;
  if (listing.folders.length > 0) {
    const naming = createChildren(node);
    for (const [index, name] of node.listing.folders.entries()) naming.know(name, index);
    for (const name of listing.folders) naming.add(name);
    children = naming.children;
  }
  replace(node, listing, failure, children);
  return true;
}

/** The same in steps, for a folder that has a great many others in it. */
export function* setListingSteps(node: FolderNode, listing: Listing): Steps<boolean> {
  if (isKnown(node, listing, undefined)) return false;
  const naming = createChildren(node);
  yield* inTurn(node.listing.folders, naming.know);
  yield* inTurn(listing.folders, naming.add);
  replace(node, listing, undefined, naming.children);
  return true;
}

function isKnown(node: FolderNode, listing: Listing, failure: Diagnostic | undefined): boolean {
  return sameListing(node.listing, listing) && node.failure?.message === failure?.message;
}

function replace(
  node: FolderNode,
  listing: Listing,
  failure: Diagnostic | undefined,
  children: readonly FolderNode[],
): void {
  const { listing: old, found } = node;
  node.listing = listing;
  node.failure = failure;
  node.children = children;
  node.found = listing.files.length === 0 ? NO_FILES : listing.files.map(foundFile);

  function foundFile(file: ListedFile): FoundFile {
    if (found.length === 0) return newFound(node, file);
    const index = old.files.findIndex((known) => sameFile(known, file));
    return found[index] ?? newFound(node, file);
  }
}

/** The folders in a folder: those that are known by their names, and new ones. */
function createChildren(node: FolderNode) {
  const known = new Map<string, FolderNode | undefined>();
  const children: FolderNode[] = [];
  return {
    children: children as readonly FolderNode[],
    know: (name: string, index: number): void => void known.set(name, node.children[index]),
    add: (name: string): void => void children.push(known.get(name) ?? newChild(node, name)),
  };
}

/** One string for both paths where they are the same: most folders are reached by no link. */
function newChild({ dir, realDir, depth }: FolderNode, name: string): FolderNode {
  const childDir = below(dir, name);
  return newFolder(childDir, dir === realDir ? childDir : below(realDir, name), depth + 1);
}

export function newFound(
  { dir, realDir, depth }: FolderNode,
  { name, isLink, companion }: ListedFile,
): FoundFile {
  const found = { dir, realDir, fileName: name, isLink, depth };
  return companion === undefined ? found : { ...found, companion };
}

/** The folder at a real path, if it is `start` or lies below it without a link in between. */
export function folderAt(start: FolderNode, realDir: string): FolderNode | undefined {
  if (start.realDir === realDir) return start;
  const prefix = below(start.realDir, "");
  if (!realDir.startsWith(prefix)) return undefined;
  let node: FolderNode | undefined = start;
  for (const name of realDir.slice(prefix.length).split(path.sep)) {
    node = node?.children[node.listing.folders.indexOf(name)];
  }
  return node;
}

/** `path.join` for a name that the disk gave us, without its cost: it needs no cleaning. */
export function below(dir: string, name: string): string {
  return dir.endsWith(path.sep) ? dir + name : dir + path.sep + name;
}
