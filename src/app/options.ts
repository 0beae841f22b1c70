import type { Severity } from "../audit/severity.ts";
import type { Log } from "../system/log.ts";
import type { ObserveWork } from "../system/observe.ts";
import type { AnalyticsContext, AuditLogTarget, ConfigValues, SandboxMode } from "./config/settings.ts";
import type { FleetShare } from "./fleet/fleet-share.ts";
import type { GitLibraries } from "./library/git-libraries.ts";
import type { Narrowing } from "./profiles/narrowed-source.ts";
import type { Profile } from "./profiles/profile.ts";

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
  readonly narrowing?: Narrowing;
  /** What the audit holds back until somebody approves it; nothing when absent. */
  readonly audit?: AuditSettings;
  /** Where the record of who was served what goes. Default: to a file over HTTP and where there are rules of trust. */
  readonly auditLog?: AuditLogTarget;
}

/** The operator's settings of the audit, as far as they decide what is served. */
export interface AuditSettings {
  /** A skill with a finding of this severity, or a worse one, must be approved. */
  readonly block: Severity;
  /** Findings that the operator says are fine. */
  readonly ignore: readonly string[];
}

/** When the skills are refreshed. Both are off by default: a command scans once. */
interface FreshnessOptions {
  /** True: scan every `refreshIntervalMs`. */
  readonly autoRefresh?: boolean;
  readonly refreshIntervalMs?: number;
  /** True: scan when a folder changes. */
  readonly watch?: boolean;
}

export interface AppOptions extends SkillViewOptions, FreshnessOptions {
  /** The only folder that the catalog tools cover; everything that is served when absent. */
  readonly catalogRoot?: string;
  /** Settings of the library; the defaults when absent. */
  readonly config?: () => ConfigValues;
  /** Libraries from git. The caller closes them. */
  readonly git?: GitLibraries;
  /** Where usage events go; they are not recorded when absent. */
  readonly usage?: UsageSettings;
  /** The sandbox mode unless the settings have one. Default: `preferred`. */
  readonly sandboxDefault?: SandboxMode;
  /** True: scripts may not work in the project, only in the folders that the operator lists. */
  readonly remoteCallers?: boolean;
  /** Sees scans, searches and scripts; nobody does when absent. */
  readonly observe?: ObserveWork;
  /** What replicas of this server count together; undefined: it is the only one. Closed with the app, unlike its Redis. */
  readonly share?: FleetShare;
  /** Receives progress, skipped files and refresh notices. */
  readonly log?: Log;
}

export interface UsageSettings {
  /** Where events are sent; undefined when nowhere. */
  readonly endpoint: string | undefined;
  /** How much of what people typed an event contains. */
  readonly context: AnalyticsContext;
  /** How an event that leaves this machine names its caller. */
  readonly caller?: AnalyticsContext;
  readonly headers?: Readonly<Record<string, string>>;
  /** What events call this server; undefined: by the name of the user. */
  readonly serverId?: string | undefined;
  /** Whether a history of events is stored on this machine. */
  readonly history: boolean;
}

export const DEFAULT_REFRESH_INTERVAL_MS = 30_000;
