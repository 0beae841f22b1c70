import type { ObserveWork } from "#util";
import type { RootPlan } from "../roots/roots.ts";
import type { LibraryRoot } from "../scan/scan-library.ts";
import type { Severity } from "../skill/severity.ts";
import type { RepoPlace } from "../skill/skill.ts";
import type { Profile } from "../visibility/profile.ts";
import type { ProfilesInForce } from "../visibility/profile-source.ts";

/** Addresses of repositories in files of settings. */
export interface SettingsRepos {
  /** In the operator's own file: they count like those of SKILLS_REPO. */
  readonly own: readonly string[];
  /** In the project's file: only their skills and plugins are served, and nothing of them is run. */
  readonly project: readonly string[];
}

/** Everything that decides which skills are served. The command line and a program that embeds us set the same. */
export interface SkillViewOptions {
  /** The project folder. Default: the working directory. */
  readonly cwd?: string;
  /** Used instead of the home folder. */
  readonly userDir?: string;
  /** Folders that agents have elsewhere than in the home folder, by their names there, such as `.claude`. */
  readonly movedFolders?: Readonly<Record<string, string>>;
  /** Used instead of the root of the file system for the folders that an administrator gives to every user. */
  readonly systemDir?: string;
  /** Folders with skills, before all others, in this order. */
  readonly skillDirs?: readonly string[];
  /** Folders with skills, after all others but plugins. */
  readonly lastDirs?: readonly string[];
  /** A folder of keyword-routed Markdown. */
  readonly library?: string;
  /** Repositories that settings name, besides those of SKILLS_REPO. */
  readonly repos?: SettingsRepos;
  /** False: only `skillDirs` (and plugins) are searched. */
  readonly scanDefaultDirs?: boolean;
  /** True: installed plugins are not served. */
  readonly skipPlugins?: boolean;
  readonly pluginsFile?: string;
  readonly pluginsRoot?: string;
  /** True: a skill whose front matter could only be recovered is skipped. */
  readonly strict?: boolean;
  /** True: a skill without a name or description gets its folder's name, and its first sentence. */
  readonly lenient?: boolean;
  /** Filter tokens, as comma lists. */
  readonly include?: readonly string[];
  /** A second list of includes, of which one must match as well: a project may narrow what is served, never widen it. */
  readonly narrowTo?: readonly string[];
  readonly exclude?: readonly string[];
  /** The profiles in force: what each of them leaves is served. */
  readonly profiles?: readonly Profile[];
  /** Used instead of them where they may change while the app runs. */
  readonly profilesInForce?: ProfilesInForce;
  /** What the audit holds back until somebody approves it; nothing when absent. */
  readonly audit?: AuditSettings;
}

/** The operator's settings of the audit, as far as they decide what is served. */
export interface AuditSettings {
  /** A skill with a finding of this severity, or a worse one, must be approved. */
  readonly block: Severity;
  /** Findings that the operator says are fine. */
  readonly ignore: readonly string[];
}

/** When the skills are refreshed. Both are off by default: a command scans once. */
export interface FreshnessOptions {
  /** True: scan every `refreshIntervalMs`. */
  readonly autoRefresh?: boolean;
  readonly refreshIntervalMs?: number;
  /** True: scan when a folder changes. */
  readonly watch?: boolean;
}

/** Repositories whose content is served, as far as a scan needs them. */
export interface ServedRepos {
  readonly roots: readonly LibraryRoot[];
  /** One version of each repository, for one scan. */
  plan(): Promise<Pick<RootPlan, "roots">>;
  repoAt(file: string): RepoPlace | undefined;
}

/** Everything that decides how skills are found. */
export interface SkillsOptions extends SkillViewOptions, FreshnessOptions {
  readonly git?: ServedRepos;
  /** The only folder that the catalog tools cover; everything that is served when absent. */
  readonly catalogRoot?: string;
  /** Sees each scan; nobody does when absent. */
  readonly observe?: ObserveWork;
}

export const DEFAULT_REFRESH_INTERVAL_MS = 30_000;
