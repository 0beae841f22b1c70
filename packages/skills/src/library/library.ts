import type { LibraryFrontMatter } from "../skill/library-front-matter.ts";
import type { Location, RepoPlace } from "../skill/skill.ts";

/** One Markdown file of a library: enough for every listing and for matching, without its text. */
export interface LibrarySkill extends LibraryFrontMatter {
  /** `ui/react/auth`, `ui/_index`, `_root`: what clients call it. */
  readonly path: string;
  /** `ui/react/auth.md`: below the library, with `/`. */
  readonly filePath: string;
  /** The nearest skill above it that exists. */
  readonly parent: string | undefined;
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
  /** None of its texts is served with hidden characters in it. */
  readonly strict?: true;
}

/** Every skill of a library, as one immutable value. */
export interface Library {
  /** By path, in the order of the paths. */
  readonly skills: ReadonlyMap<string, LibrarySkill>;
}
