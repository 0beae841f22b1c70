import type { Log } from "../system/log.ts";
import type { AnalyticsContext, ConfigValues, SandboxMode } from "./config/settings.ts";
import type { GitLibraries } from "./library/git-libraries.ts";

/** Everything that decides which skills are seen. The command line and a program that embeds us set the same. */
export interface SkillViewOptions {
  /** The project folder. Default: the working directory. */
  readonly cwd?: string;
  /** Stands in for the home folder. */
  readonly userDir?: string;
  /** Folders with skills, before all others, in this order. */
  readonly skillDirs?: readonly string[];
  /** Folders with skills, after all others but plugins. */
  readonly lastDirs?: readonly string[];
  /** A folder of keyword-routed Markdown. */
  readonly library?: string;
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
interface FreshnessOptions {
  /** True: look at the disk every `refreshIntervalMs`. */
  readonly autoRefresh?: boolean;
  readonly refreshIntervalMs?: number;
  /** True: look whenever a folder changes. */
  readonly watch?: boolean;
}

export interface AppOptions extends SkillViewOptions, FreshnessOptions {
  /** The only folder that the catalog tools look at; everything that is served when absent. */
  readonly catalogRoot?: string;
  /** Settings of the library; the defaults when absent. */
  readonly config?: () => ConfigValues;
  /** Libraries that come from git; whoever opened them closes them. */
  readonly git?: GitLibraries;
  /** What becomes of the events that say what is used; nothing when absent. */
  readonly usage?: UsageSettings;
  /** Whether scripts run in a sandbox where the settings do not say. Default: where there is one. */
  readonly sandboxDefault?: SandboxMode;
  /** True: a caller may not have scripts work in the project, only in the folders that the operator lists. */
  readonly remoteCallers?: boolean;
  /** Receives one line at a time: progress, skipped files, refresh notices. */
  readonly log?: Log;
}

export interface UsageSettings {
  /** Where events are sent; undefined when nowhere. */
  readonly endpoint: string | undefined;
  /** What becomes of the texts that people typed. */
  readonly context: AnalyticsContext;
  /** Whether events are kept on this machine. */
  readonly history: boolean;
}

export const DEFAULT_REFRESH_INTERVAL_MS = 30_000;
