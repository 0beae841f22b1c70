import { inTurn, type Steps } from "../../catalog/steps.ts";
import type { Diagnostic } from "../../skill/diagnostic.ts";
import { below, type FolderNode, type FoundFile } from "./folder-tree.ts";
import type { Followed, Link } from "./follow-link.ts";
import { LONELY } from "./listing.ts";
import { placedDigest } from "./listing-digest.ts";

/** A link to `/usr` or a mount must not keep a scan busy for ever. 100,000 skills have about 350,000 entries. */
const MOST_ENTRIES = 2_000_000;

/**
 * Puts together what the folders of one walk hold. Whoever watches them asks for all folders as a set, which is made on the
 * way; else it is made only when a link is followed, because no folder is met twice without one.
 */
export function gather(rootDir: string, isWatched: boolean) {
  const files: FoundFile[] = [];
  const entered: string[] = [];
  let seen: Set<string> | undefined = isWatched ? new Set() : undefined;
  const outside: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const awaited: string[] = [];
  let links: Link[] = [];
  let entriesLeft = MOST_ENTRIES;
  let isCut = false;
  let listing = 0;

  const folders = (): ReadonlySet<string> => {
    seen ??= new Set(entered);
    return seen;
  };

  function addOthers(node: FolderNode, belongsToSkill: boolean, queue: FolderNode[]): void {
    for (const child of node.children) {
      child.belongsToSkill = belongsToSkill;
      queue.push(child);
    }
    for (const name of node.listing.links) links.push({ folder: node, name, shown: below(node.dir, name) });
    for (const [name, kind] of node.listing.odd) {
      const place = below(node.dir, name);
      diagnostics.push(kind === LONELY ? fileMissing(place, name) : notAFile(place, kind));
    }
  }

  return {
    files: files as readonly FoundFile[],
    folders,
    /** Makes the set of folders, which following a link asks for. */
    *knowFolders(): Steps<void> {
      if (seen !== undefined) return;
      const all = new Set<string>();
      yield* inTurn(entered, (folder) => void all.add(folder));
      seen = all;
    },
    /** False for a folder that is not entered any more. */
    enter(node: FolderNode): boolean {
      if (isCut) return false;
      if (seen === undefined) return entered.push(node.realDir) > 0;
      const before = seen.size;
      return seen.add(node.realDir).size > before;
    },
    /** What lies in a folder; its own folders are added to the queue. */
    add(node: FolderNode, queue: FolderNode[]): void {
      if (node.failure !== undefined) diagnostics.push(node.failure);
      entriesLeft -= node.listing.entries;
      if (entriesLeft < 0) {
        isCut = true;
        return;
      }
      const { found } = node;
      for (const file of found) files.push(file);
      const belongsToSkill = node.belongsToSkill || found.length > 0;
      if (belongsToSkill) listing = (listing + placedDigest(node.listing.digest, node.realDir)) | 0;
      else outside.push(node.realDir);
      // Most folders have nothing in them that is neither.
      if (node.listing.entries > found.length) addOthers(node, belongsToSkill, queue);
    },
    /** The links found since the last call, in order. */
    takeLinks(): readonly Link[] {
      const taken = links.sort((a, b) => (a.shown < b.shown ? -1 : 1));
      links = [];
      return taken;
    },
    /** Notes where a link led, and answers with the folder behind it. */
    follow(result: Followed): string | undefined {
      for (const place of result.awaited) awaited.push(place);
      if (result.diagnostic !== undefined) diagnostics.push(result.diagnostic);
      return result.realDir;
    },
    finish() {
      if (isCut) diagnostics.push(tooManyEntries(rootDir));
      return { folders, outside, diagnostics: diagnostics.sort(byFile), awaited, listing };
    },
  };
}

/** Folders are read side by side, so what is wrong with them is found in any order. */
function byFile(a: Diagnostic, b: Diagnostic): number {
  return a.file < b.file ? -1 : Number(a.file > b.file);
}

/** Something that is called SKILL.md but is not a regular file. */
export function notAFile(file: string, kind: string): Diagnostic {
  const message = `This is ${kind}, not a regular file, so it was not opened. Replace it with a text file.`;
  return { severity: "error", code: "not-a-file", file, message };
}

/** A folder of files whose skill is missing: without a word, everything in it would vanish. */
function fileMissing(folder: string, name: string): Diagnostic {
  const message = `A folder called ${name} holds the files of ${name}.md, which is not beside it, so nothing in it is served, neither as a file nor as a skill. Add ${name}.md, or rename the folder.`;
  return { severity: "warning", code: "hidden-skills", file: folder, message };
}

function tooManyEntries(rootDir: string): Diagnostic {
  const message = `The search stopped after ${MOST_ENTRIES.toLocaleString("en")} entries; what was found by then is served. Point the folder at your skills alone.`;
  return { severity: "error", code: "scan-limit", file: rootDir, message };
}
