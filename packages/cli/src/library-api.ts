import { movedFolders } from "#agents";
import { compose } from "#server";

export { VERSION } from "#util";
/**
 * The package as a library. Its types are written out here, so that they are one file for those who install it and the
 * rest stays free to change; the compiler checks that the app still fits them.
 */
export { Refusal } from "#util/pure";

/** When the skills are refreshed. Default: only when asked to. */
interface SkillsRefresh {
  /** True: refresh when a folder changes. */
  readonly watch?: boolean;
  /** True: refresh every `refreshIntervalMs`. */
  readonly autoRefresh?: boolean;
  readonly refreshIntervalMs?: number;
}

/** Which skills are served and when they are refreshed, as on the command line. */
export interface SkillsOptions extends SkillsRefresh {
  /** The project folder. Default: the working directory. */
  readonly cwd?: string;
  /** Use instead of the home folder. */
  readonly userDir?: string;
  /** Folders with skills, in order of priority, before all others. */
  readonly skillDirs?: readonly string[];
  /** False: search only `skillDirs` and plugins. */
  readonly scanDefaultDirs?: boolean;
  /** True: leave installed plugins out. */
  readonly skipPlugins?: boolean;
  /** Skip skills whose front matter had to be recovered. */
  readonly strict?: boolean;
  /** Serve skills without a name or description: with their folder's name, and their first sentence. */
  readonly lenient?: boolean;
  /** Filters: a provider, `@plugin` or name, with `*` and `?`. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Where to report progress, skipped files and failures. */
  readonly log?: SkillsLog;
}

export interface SkillsLog {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface SkillsApp {
  /** The current skills; waits only for the first scan. */
  snapshot(): Promise<SkillsSnapshot>;
  /** The skills as they are on the disk now. */
  refresh(): Promise<SkillsSnapshot>;
  /** Reads one skill. A name that is unknown or ambiguous is a `Refusal`. */
  load(name: string): Promise<{ readonly entry: SkillEntry; readonly text: string }>;
  /** Finds the skills for a task, best first. */
  search(task: string, limit: number): Promise<SkillSearch>;
  /** Calls back after each refresh that changed what is listed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}

export interface SkillsSnapshot {
  readonly catalog: { readonly entries: readonly SkillEntry[] };
  /** What is wrong with files that were skipped or recovered. */
  readonly diagnostics: readonly {
    readonly code: string;
    readonly severity: "error" | "warning";
    readonly file: string;
    readonly message: string;
  }[];
}

export interface SkillEntry {
  /** The shortest name that loads the skill. */
  readonly listedAs: string;
  readonly skill: {
    readonly name: string;
    readonly description: string;
    /** The agent whose folder has the skill: `claude`, `codex`, …; `file` for a folder in `skillDirs`. */
    readonly provider: string;
    /** The skill's folder. */
    readonly dir: string;
    /** The name of its file in that folder. */
    readonly fileName: string;
  };
}

export interface SkillSearch {
  readonly verdict: "match" | "ambiguous" | "no_match";
  /** How likely the first result is the right one, from 0 to 1. */
  readonly confidence: number;
  /** How many skills fit. */
  readonly total: number;
  /** The best of them; empty when none fits. */
  readonly results: readonly { readonly name: string; readonly description: string }[];
  /** When none fits: the nearest, three at most. */
  readonly nearest: readonly { readonly name: string; readonly description: string }[];
}

/** Opens the skills. The caller closes them; closing twice is harmless. */
export function createApp(options: SkillsOptions = {}): {
  readonly app: SkillsApp;
  readonly close: () => Promise<void>;
} {
  const { skillDirs, scanDefaultDirs, skipPlugins, strict, lenient, include, exclude, ...others } = options;
  const { services, close } = compose({
    ...others,
    folders: {
      first: skillDirs ?? [],
      defaults: scanDefaultDirs ?? true,
      ...(options.userDir === undefined ? { moved: movedFolders(process.env) } : {}),
    },
    plugins: { skip: skipPlugins ?? false },
    reading: { strict: strict ?? false, lenient: lenient ?? false },
    filter: { include: include ?? [], exclude: exclude ?? [] },
  });
  const { skills, search } = services;
  return { app: { ...skills, search: search.search }, close };
}
