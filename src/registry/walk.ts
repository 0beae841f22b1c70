import type { Dirent } from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { describeError, errorCode, readdir, readlink, realpath, stat } from "./file-system.ts";
import { listingDigest } from "./listing-digest.ts";
import { isInside } from "./roots.ts";
import { runQueue } from "./work-queue.ts";

/** How skills lie in folders. */
export interface Layout {
  isSkillFile(name: string): boolean;
  /** Where what belongs to a skill file lies in a folder beside it. */
  readonly companions?: {
    /** The folder of one file; it is not searched. */
    of(fileName: string): string;
    /** Folders that are companions whether their file is there or not. */
    readonly always: readonly string[];
  };
}

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

export interface Walk {
  /** The root after every link is resolved: once, so that a link turned meanwhile does not mix two trees. */
  readonly realDir: string;
  readonly files: readonly FoundFile[];
  /** Every real folder that was entered: what a watcher has to watch. */
  readonly folders: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Where broken links lead: what appears there belongs to this walk. */
  readonly awaited: readonly string[];
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
}

/** Folders that hold other people's files by the ten thousand, and never a skill of the user's. */
const NOT_ENTERED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** A link to `/usr` or a mount must not keep a scan busy for ever. 100,000 skills have about 350,000 entries. */
const MOST_ENTRIES = 2_000_000;

const FOLDERS_AT_ONCE = 16;

interface Folder {
  readonly dir: string;
  readonly realDir: string;
  readonly depth: number;
  /** A skill file lies above it, so what it holds belongs to a skill. */
  readonly inSkill: boolean;
}

interface Link extends Omit<Folder, "inSkill"> {
  readonly name: string;
  /** Beside a skill file a link is a resource, and a broken one is the author's business. */
  readonly besideSkill: boolean;
}

/**
 * Finds every skill file below a root, at any depth. Linked folders are entered, but each real folder once, so
 * loops end. Links are followed after all plain folders, in order, so the same tree always gives the same answer.
 */
export async function walkRoot(
  rootDir: string,
  layout: Layout,
  onFolder?: (realDir: string) => void,
): Promise<Walk> {
  const files: FoundFile[] = [];
  const folders = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const awaited: string[] = [];
  const links: Link[] = [];
  let entriesLeft = MOST_ENTRIES;
  let listing = 0;

  const walkPlain = (start: Folder): Promise<void> =>
    runQueue([start], FOLDERS_AT_ONCE, async (folder, add) => {
      if (folders.has(folder.realDir) || entriesLeft < 0) return;
      folders.add(folder.realDir);
      onFolder?.(folder.realDir);
      const entries = await listFolder(folder, diagnostics);
      const hadRoom = entriesLeft >= 0;
      entriesLeft -= entries.length;
      if (entriesLeft < 0) {
        if (hadRoom) diagnostics.push(tooManyEntries(rootDir));
        return;
      }
      const found = sortEntries(folder, entries, layout);
      if (found.inSkill) listing = (listing + listingDigest(folder.realDir, entries)) | 0;
      files.push(...found.files);
      links.push(...found.links);
      diagnostics.push(...found.diagnostics);
      for (const child of found.folders) add(child);
    });

  const realDir = await realpath(rootDir);
  await walkPlain({ dir: rootDir, realDir, depth: 0, inSkill: false });
  while (links.length > 0) {
    const round = links.splice(0).sort((a, b) => (below(a.dir, a.name) < below(b.dir, b.name) ? -1 : 1));
    for (const link of round) {
      const target = await followLink(link, diagnostics, awaited);
      if (target !== undefined) await walkPlain(target);
    }
  }
  files.sort(byDepthThenPath);
  return { realDir, files, folders, diagnostics: diagnostics.sort(byFile), awaited, listing };
}

async function listFolder(folder: Folder, diagnostics: Diagnostic[]): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder.realDir, { withFileTypes: true });
  } catch (error) {
    // Deleted since its parent was read: then it is simply not there any more.
    if (errorCode(error) !== "ENOENT") diagnostics.push(unreadable(folder.dir, error));
    return [];
  }
}

function sortEntries(folder: Folder, entries: readonly Dirent[], layout: Layout) {
  const { dir, realDir, depth } = folder;
  const files: FoundFile[] = [];
  const folderNames: string[] = [];
  const linkNames: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const companions = layout.companions && companionsAmong(entries, layout, layout.companions);
  for (const entry of entries) {
    const { name } = entry;
    const skillFile = layout.isSkillFile(name);
    if (skillFile && (entry.isFile() || entry.isSymbolicLink())) {
      const companion = companions?.get(layout.companions?.of(name) ?? "");
      const isLink = entry.isSymbolicLink();
      files.push({ dir, realDir, depth, fileName: name, isLink, ...(companion && { companion }) });
    } else if (skillFile && !(entry.isDirectory() && companions !== undefined)) {
      diagnostics.push(notAFile(below(dir, name), kindOf(entry)));
    }
    if (NOT_ENTERED.has(name) || companions?.has(name) === true) continue;
    if (entry.isDirectory()) folderNames.push(name);
    else if (entry.isSymbolicLink() && !skillFile) linkNames.push(name);
  }
  const besideSkill = files.length > 0;
  const inSkill = besideSkill || folder.inSkill;
  const folders = folderNames.map((name): Folder => {
    // One string for both paths where they are the same: most folders are reached by no link.
    const childDir = below(dir, name);
    const childReal = dir === realDir ? childDir : below(realDir, name);
    return { dir: childDir, realDir: childReal, depth: depth + 1, inSkill };
  });
  const links = linkNames.map((name): Link => ({ dir, realDir, depth, name, besideSkill }));
  return { files, folders, links, diagnostics, inSkill };
}

/** The folders among these entries that belong to a skill file beside them. */
function companionsAmong(
  entries: readonly Dirent[],
  layout: Layout,
  { of, always }: NonNullable<Layout["companions"]>,
): ReadonlyMap<string, "folder" | "link"> {
  const expected = new Set(always);
  for (const { name } of entries) if (layout.isSkillFile(name)) expected.add(of(name));
  const found = new Map<string, "folder" | "link">();
  for (const entry of entries) {
    if (!expected.has(entry.name)) continue;
    if (entry.isDirectory()) found.set(entry.name, "folder");
    else if (entry.isSymbolicLink()) found.set(entry.name, "link");
  }
  return found;
}

/** The folder behind a link, or undefined when it is a file, is gone, or leads back to where the link lies. */
async function followLink(
  link: Link,
  diagnostics: Diagnostic[],
  awaited: string[],
): Promise<Folder | undefined> {
  const dir = below(link.dir, link.name);
  try {
    const target = below(link.realDir, link.name);
    if (!(await stat(target)).isDirectory()) return undefined;
    const realDir = await realpath(target);
    return isInside(realDir, link.realDir)
      ? undefined
      : { dir, realDir, depth: link.depth + 1, inSkill: false };
  } catch (error) {
    awaited.push(...(await linkTarget(below(link.realDir, link.name))));
    if (!link.besideSkill) {
      const message = `This link leads nowhere: ${describeError(error)}.`;
      diagnostics.push({ severity: "warning", code: "broken-link", file: dir, message });
    }
    return undefined;
  }
}

/** The path that a link names; none when the link is gone. */
export async function linkTarget(link: string): Promise<readonly string[]> {
  try {
    return [path.resolve(path.dirname(link), await readlink(link))];
  } catch {
    return [];
  }
}

/** `path.join` for a name that the disk gave us, without its cost: it needs no cleaning. */
function below(dir: string, name: string): string {
  return dir.endsWith(path.sep) ? dir + name : dir + path.sep + name;
}

function byDepthThenPath(a: FoundFile, b: FoundFile): number {
  if (a.depth !== b.depth) return a.depth - b.depth;
  if (a.dir !== b.dir) return a.dir < b.dir ? -1 : 1;
  return a.fileName < b.fileName ? -1 : 1;
}

/** Folders are read side by side, so what is wrong with them is found in any order. */
function byFile(a: Diagnostic, b: Diagnostic): number {
  return a.file < b.file ? -1 : Number(a.file > b.file);
}

function kindOf(entry: Dirent): string {
  if (entry.isDirectory()) return "a folder";
  if (entry.isFIFO()) return "a FIFO";
  if (entry.isSocket()) return "a socket";
  return entry.isBlockDevice() || entry.isCharacterDevice() ? "a device" : "a special file";
}

/** Something that is called SKILL.md but is not a regular file. */
export function notAFile(file: string, kind: string): Diagnostic {
  const message = `This is ${kind}, not a regular file, so it was not opened. Replace it with a text file.`;
  return { severity: "error", code: "not-a-file", file, message };
}

function unreadable(file: string, error: unknown): Diagnostic {
  const message = `This folder cannot be read: ${describeError(error)}.`;
  return { severity: "error", code: "unreadable", file, message };
}

function tooManyEntries(rootDir: string): Diagnostic {
  const message = `The search stopped after ${MOST_ENTRIES.toLocaleString("en")} entries; what was found by then is served. Point the folder at your skills alone.`;
  return { severity: "error", code: "scan-limit", file: rootDir, message };
}
