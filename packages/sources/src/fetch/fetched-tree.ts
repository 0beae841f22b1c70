/** What a source held at one moment, as a folder of this machine that nobody else changes. */
export interface FetchedTree {
  /**
   * An absolute real path. Its files are content only: no `.git`, no links that lead out. A file of a git repository has the
   * path that it has there, also when the address names a folder and only that one is here.
   */
  readonly folder: string;
  /** The commit that the content is from, of a git repository. */
  readonly commit?: string;
  /** The version that was resolved, of an npm package or a site. */
  readonly version?: string;
  /** The folders of the skills, where the source lists them (sites, marketplaces); else they are found by a scan. */
  readonly listed?: readonly NamedSkill[];
  /** Removes what was fetched. */
  dispose(): Promise<void>;
}

/** A skill that a source names itself. */
export interface NamedSkill {
  readonly name: string;
  /** Relative to the tree's folder, with `/`. */
  readonly path: string;
}
