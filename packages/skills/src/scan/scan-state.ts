import path from "node:path";
import { describeError, errorCode } from "#util";
import { type Diagnostic } from "../skill/diagnostic.ts";
import { type FolderLink } from "./links.ts";
import { type FolderLayout, type Listing, LONELY, type SettingsKind } from "./listing.ts";

/** A skill file, by the two paths that its folder has. */
export interface FoundFile {
  readonly dir: string;
  readonly realDir: string;
  readonly fileName: string;
  readonly isLink: boolean;
  /** How many folders lie between it and its root. */
  readonly depth: number;
  /** What lies where its companion folder is expected. */
  readonly companion?: "folder" | "link";
  /** Whether an agent's settings beside it are a file or a link; undefined when there are none. */
  readonly settings?: SettingsKind;
  /** True: its folder, or that of its settings, was listed in this scan. False: neither changed since the last scan. */
  readonly isListed: boolean;
}

/** Sorts found files: nearest to the root first, then by path. */
export function byDepthThenPath(a: FoundFile, b: FoundFile): number {
  if (a.depth !== b.depth) return a.depth - b.depth;
  if (a.dir !== b.dir) return a.dir < b.dir ? -1 : 1;
  return a.fileName < b.fileName ? -1 : 1;
}

/** The folders of one scan in which agents keep their settings of skills. */
interface SettingsFolders {
  /** Called with every folder that was entered. */
  note(realDir: string, listing: Listing, isListed: boolean): void;
  /** Attaches settings to the skill files beside them; also returns every path to watch. */
  addedTo(files: FoundFile[]): { readonly files: FoundFile[]; readonly places: readonly string[] };
}

/** Collects settings folders from the listings that a scan makes anyway: a skill without one costs no file call. */
function createSettingsFolders({ settings }: FolderLayout): SettingsFolders {
  if (settings === undefined) return { note: () => {}, addedTo: (files) => ({ files, places: [] }) };
  const { folder, file } = settings;
  const found = new Map<string, { readonly kind: SettingsKind | undefined; readonly isListed: boolean }>();
  return {
    note(realDir, listing, isListed) {
      if (realDir.endsWith(folder)) found.set(realDir, { kind: listing.settings, isListed });
    },
    addedTo(files) {
      if (found.size === 0) return { files, places: [] };
      const places: string[] = [];
      const added = files.map((each): FoundFile => {
        const place = each.realDir + path.sep + folder;
        const beside = found.get(place);
        if (beside === undefined) return each;
        places.push(place);
        const isListed = each.isListed || beside.isListed;
        if (beside.kind === undefined) return isListed === each.isListed ? each : { ...each, isListed };
        places.push(place + path.sep + file);
        return { ...each, isListed, settings: beside.kind };
      });
      return { files: added, places };
    },
  };
}

/** A folder to enter. */
export interface Folder {
  readonly dir: string;
  readonly realDir: string;
  readonly depth: number;
  readonly isInSkill: boolean;
  /** A link led to it, out of the root, the project and the home folder: how much lies behind such links is limited. */
  readonly isForeign: boolean;
  /** The nearest folder above that holds a skill file; undefined also where a hidden folder lies in between. */
  readonly skillDir?: string | undefined;
}

/** What a scan of one root found so far. */
export interface ScanState {
  readonly entered: Set<string>;
  readonly files: FoundFile[];
  readonly links: FolderLink[];
  readonly outside: string[];
  readonly settings: SettingsFolders;
  readonly diagnostics: Diagnostic[];
  readonly awaited: string[];
  readonly withFiles: Set<string>;
  entriesLeft: number;
  /** How many more folders and files behind links that lead out of the root, the project and the home folder are searched. */
  foreignFoldersLeft: number;
  foreignFilesLeft: number;
  digest: number;
}

/** A link to `/usr` or a mount must not keep a scan busy for ever. 100,000 skills have about 350,000 entries. */
export const MOST_ENTRIES = 2_000_000;

/** How much of what lies behind links that lead out is searched for one root. */
export interface ForeignLimits {
  readonly folders: number;
  readonly files: number;
}

/** A shared folder of a team has some hundred skills with a few folders each. */
export const FOREIGN_LIMITS: ForeignLimits = { folders: 4_000, files: 1_000 };

export function newState(layout: FolderLayout, foreign: ForeignLimits): ScanState {
  return {
    entered: new Set(),
    files: [],
    links: [],
    outside: [],
    settings: createSettingsFolders(layout),
    diagnostics: [],
    awaited: [],
    withFiles: new Set(),
    entriesLeft: MOST_ENTRIES,
    foreignFoldersLeft: foreign.folders,
    foreignFilesLeft: foreign.files,
    digest: 0,
  };
}

/** The problem of an entry that is named like a skill file and is none, or of a companion folder without its file. */
export function oddEntry(file: string, name: string, kind: string): Diagnostic {
  return kind === LONELY ? fileMissing(file, name) : notAFile(file, kind);
}

export function notAFile(file: string, kind: string): Diagnostic {
  const message = `This is ${kind}, not a regular file, so it was not opened. Replace it with a text file.`;
  return { severity: "error", code: "not-a-file", file, message };
}

/** Reported, because nothing in such a folder is served. */
function fileMissing(folder: string, name: string): Diagnostic {
  const message = `A folder called ${name} holds the files of ${name}.md, which is not beside it, so nothing in it is served, neither as a file nor as a skill. Add ${name}.md, or rename the folder.`;
  return { severity: "warning", code: "hidden-skills", file: folder, message };
}

/** Why a folder could not be listed. One that was deleted since its parent was listed is simply gone. */
export function listingProblem(dir: string, failure: unknown): Diagnostic | undefined {
  return errorCode(failure) === "ENOENT" ? unreadableName(dir) : unreadableFolder(dir, failure);
}

export function unreadableFolder(file: string, error: unknown): Diagnostic {
  const message = `This folder cannot be read: ${describeError(error)}.`;
  return { severity: "error", code: "unreadable", file, message };
}

/**
 * Why a listed entry does not exist: Node puts U+FFFD for bytes of a name that are not UTF-8, and there is no file of
 * the name that it gives. Undefined where the name is whole, so that the entry is simply gone.
 */
export function unreadableName(file: string): Diagnostic | undefined {
  if (!path.basename(file).includes("\uFFFD")) return undefined;
  const message =
    "Its name is not valid UTF-8, so it cannot be opened, and no skill in it is served. Rename it; \uFFFD marks the invalid bytes.";
  return { severity: "error", code: "unreadable", file, message };
}

/** Sorts diagnostics by file: folders are listed side by side, so their problems are found in any order. */
export function byFile(a: Diagnostic, b: Diagnostic): number {
  return a.file < b.file ? -1 : Number(a.file > b.file);
}

export function tooManyEntries(rootDir: string, limit: number): Diagnostic {
  const message = `The scan stopped after ${limit.toLocaleString("en")} entries; what was found by then is served. Point the root at your skills alone.`;
  return { severity: "error", code: "scan-limit", file: rootDir, message };
}

export function leadsToMadeUp(file: string): Diagnostic {
  const message = "This link leads into /proc, /sys or /dev, which are never searched for skills. Remove it.";
  return { severity: "warning", code: "refused-link", file, message };
}

export const LEADS_OUT = "This link leads out of its package, so it is not followed.";

export function leadsOut(file: string): Diagnostic {
  return { severity: "warning", code: "refused-link", file, message: LEADS_OUT };
}

export function tooMuchBehindLinks(file: string): Diagnostic {
  const [folders, files] = [FOREIGN_LIMITS.folders, FOREIGN_LIMITS.files].map((most) =>
    most.toLocaleString("en"),
  );
  const message = `This link leads out of the project and the home folder. Behind such links at most ${folders} folders and ${files} skills of one root are searched, and there are more; what was found by then is served. Link to a folder of skills alone, or name the folder with --skill-dir.`;
  return { severity: "error", code: "scan-limit", file, message };
}

export function rootNotAFolder(file: string): Diagnostic {
  const message = "It is not a folder, so no skills can be found in it.";
  return { severity: "error", code: "root-not-a-folder", file, message };
}
