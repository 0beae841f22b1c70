/** Everything that decides which skills are seen. The command line and a program that embeds us set the same. */
export interface SkillViewOptions {
  /** The project folder. Default: the working directory. */
  readonly cwd?: string;
  /** Stands in for the home folder. */
  readonly userDir?: string;
  /** Folders with skills, before all others, in this order. */
  readonly skillDirs?: readonly string[];
  /** False: only `skillDirs` (and plugins) are searched. */
  readonly scanDefaultDirs?: boolean;
  /** True: installed plugins are not served. */
  readonly skipPlugins?: boolean;
  readonly pluginsFile?: string;
  readonly pluginsRoot?: string;
  /** Skip a skill whose front matter could only be recovered. */
  readonly strict?: boolean;
  /** Filter tokens, as comma lists. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** How the view is kept fresh. Neither is on by default: a command looks once. */
export interface FreshnessOptions {
  /** True: look at the disk every `refreshIntervalMs`. */
  readonly autoRefresh?: boolean;
  readonly refreshIntervalMs?: number;
  /** True: look whenever a folder changes. */
  readonly watch?: boolean;
}

export interface AppOptions extends SkillViewOptions, FreshnessOptions {
  /** The only folder that the catalog tools look at; everything that is served when absent. */
  readonly catalogRoot?: string;
  /** Receives one line at a time: progress, skipped files, refresh notices. */
  readonly log?: (line: string) => void;
}

export const DEFAULT_REFRESH_INTERVAL_MS = 30_000;
