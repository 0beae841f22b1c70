import type { Diagnostic } from "../skill/diagnostic.ts";
import type { FoundFile } from "./found-file.ts";
import type { Link } from "./links.ts";
import type { Layout } from "./listing.ts";
import { createSettingsFolders, type SettingsFolders } from "./settings-folders.ts";

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
export interface State {
  readonly entered: Set<string>;
  readonly files: FoundFile[];
  readonly links: Link[];
  readonly outside: string[];
  readonly settings: SettingsFolders;
  readonly diagnostics: Diagnostic[];
  readonly awaited: string[];
  readonly withFiles: Set<string>;
  entriesLeft: number;
  /** Of what lies behind links that lead out. */
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

export function newState(layout: Layout, foreign: ForeignLimits): State {
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
