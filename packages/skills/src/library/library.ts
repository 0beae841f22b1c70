import type { LibraryFrontMatter } from "../skill/parse-library-skill.ts";
import type { Location, RepoPlace } from "../skill/skill.ts";

/** One Markdown file of a library as the disk shows it. */
export interface LibraryFile extends LibraryFrontMatter {
  /** `ui/react/auth.md`: below the library, with `/`. */
  readonly filePath: string;
  readonly location: Location;
  /** Absolute, as people see it. */
  readonly file: string;
  /** The file after every link is resolved: what is opened. */
  readonly realFile: string;
  /** The folder of its assets and scripts, after every link is resolved; undefined when there is none. */
  readonly resourceDir: string | undefined;
  /** The library's own folder, after every link is resolved: nothing outside of it is served. */
  readonly root: string;
  /** The digest of the approved version that this is a copy of; absent where the library itself is served. */
  readonly approved?: string;
  /** Where that version came from; absent for a folder. */
  readonly repo?: RepoPlace;
  /** None of its texts is served with invisible characters in it. */
  readonly strict?: true;
}

/** A skill of a library: enough for every listing and for matching, without its text. */
export interface LibrarySkill extends LibraryFile {
  /** `ui/react/auth`, `ui/_index`, `_root`: what clients call it. */
  readonly path: string;
  /** The nearest skill above it that exists. */
  readonly parent: string | undefined;
}

/** Every skill of a library, as one immutable value. */
export interface Library {
  /** By path, in the order of the paths. */
  readonly skills: ReadonlyMap<string, LibrarySkill>;
}

/** The files of one library. */
export interface LibraryFiles {
  /** What its paths begin with where several libraries are served; empty for a single one. */
  readonly prefix: string;
  readonly files: readonly LibraryFile[];
}

export const EMPTY_LIBRARY: Library = { skills: new Map() };

/** Puts the files of all libraries into one tree. Of two libraries with one prefix the first has precedence. */
export function buildLibrary(libraries: readonly LibraryFiles[]): Library {
  const skills = new Map<string, LibrarySkill>();
  for (const { prefix, files } of libraries) {
    const byPath = new Map(files.map((file) => [skillPathOf(file.filePath), file]));
    const below = (path: string): string => (prefix === "" ? path : `${prefix}/${path}`);
    for (const [path, file] of byPath) {
      if (skills.has(below(path))) continue;
      const parent = existingParent(path, (above) => byPath.has(above));
      skills.set(below(path), {
        ...file,
        path: below(path),
        filePath: below(file.filePath),
        parent: parent === undefined ? undefined : below(parent),
      });
    }
  }
  return { skills: new Map([...skills].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** `ui/react/auth.md` → `ui/react/auth`. */
export function skillPathOf(filePath: string): string {
  return filePath.replace(/\.md$/, "");
}

/** The parent of a skill, whether it exists or not; undefined for the root. */
export function derivedParent(path: string): string | undefined {
  if (path === ROOT) return undefined;
  const folder = folderOf(path);
  if (lastSegment(path) !== INDEX) return folder === "" ? ROOT : `${folder}/${INDEX}`;
  // The parent of a folder's index is the index of the folder around it.
  const above = folderOf(folder);
  return above === "" ? ROOT : `${above}/${INDEX}`;
}

/** The nearest skill above one that exists. */
function existingParent(path: string, exists: (path: string) => boolean): string | undefined {
  let parent = derivedParent(path);
  while (parent !== undefined && !exists(parent)) parent = derivedParent(parent);
  return parent;
}

const ROOT = "_root";
const INDEX = "_index";

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
