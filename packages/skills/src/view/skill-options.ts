import path from "node:path";
import { type MovedFolders, PROVIDERS, userFolder } from "#agents";
import { expandHome, homeFolder, isInside, type ObserveWork } from "#util";
import { type Filter, parseFilterTokens, parseIncludes } from "../catalog/filter.ts";
import type { PluginOptions } from "../roots/plugins.ts";
import type { RootPlan } from "../roots/roots.ts";
import type { LibraryRoot } from "../scan/scan-library.ts";
import type { Severity } from "../skill/diagnostic.ts";
import type { ReadingRules } from "../skill/parse-skill.ts";
import type { RepoPlace } from "../skill/skill.ts";
import type { SettingsProblem } from "../visibility/not-served.ts";
import type { Profile } from "../visibility/profile.ts";
import type { ProfilesInForce } from "../visibility/profile-source.ts";

/** Repositories that settings files name. */
export interface SettingsRepos {
  /** In the operator's own file: they count like those of SKILLS_REPO. */
  readonly own: readonly string[];
  /** In the project's file: only their skills and plugins are served, and nothing of them is run. */
  readonly project: readonly string[];
}

/** Which folders are searched for skills. */
interface SkillFolders {
  /** Before all others, in this order. */
  readonly first?: readonly string[];
  /** After all others but plugins. */
  readonly last?: readonly string[];
  /** False: the folders of agents are not searched. */
  readonly defaults?: boolean;
  /** False: npm packages that the project depends on are not searched. */
  readonly dependencies?: boolean;
  /** Folders that agents have elsewhere than in the home folder, by their names there, such as `.claude`. */
  readonly moved?: Readonly<Record<string, string>>;
  /** Used instead of the root of the file system for the folders that an administrator gives to every user. */
  readonly system?: string;
}

/** Where installed plugins are found. */
interface PluginChoice {
  /** True: they are not served. */
  readonly skip?: boolean;
  /** Used instead of `~/.claude/plugins/installed_plugins.json`. */
  readonly file?: string | undefined;
  /** The base of relative paths in that file. */
  readonly root?: string | undefined;
}

/** Filter tokens, as comma lists. */
interface FilterTokens {
  readonly include?: readonly string[];
  /** A second list of includes, of which one must match as well: a project may narrow what is served, never widen it. */
  readonly narrowTo?: readonly string[] | undefined;
  readonly exclude?: readonly string[];
}

/** Which skills are served. The command line and a program that uses the package as a library set the same options. */
export interface SkillViewOptions {
  /** The project folder. Default: the working directory. */
  readonly cwd?: string;
  /** Used instead of the home folder. */
  readonly userDir?: string;
  /** The folder of a library: Markdown that is found by keywords. */
  readonly library?: string;
  /** Repositories that settings name, besides those of SKILLS_REPO. */
  readonly repos?: SettingsRepos;
  readonly folders?: SkillFolders;
  readonly plugins?: PluginChoice;
  readonly reading?: ReadingRules;
  readonly filter?: FilterTokens;
  /** The profiles in force: what each of them leaves is served. */
  readonly profiles?: readonly Profile[];
  /** Used instead of `profiles` where they may change while the app runs. */
  readonly profilesInForce?: ProfilesInForce;
  /** Which skills the audit does not let be served until somebody approves them; absent: all are served. */
  readonly audit?: AuditSettings;
  /** What is wrong in the settings of a server that runs all the same; absent when nothing is. */
  readonly wrongSettings?: readonly SettingsProblem[];
}

/** The operator's settings of the audit, as far as they decide what is served. */
export interface AuditSettings {
  /** A skill with a finding of this severity, or a worse one, must be approved. */
  readonly block: Severity;
  /** Findings that the operator accepts: `<rule>` or `<skill>:<rule>`. */
  readonly ignore: readonly string[];
}

/** When the skills are refreshed. Without options there is one scan, as for a command. */
interface FreshnessOptions {
  /** True: scan every `refreshIntervalMs`. */
  readonly autoRefresh?: boolean;
  readonly refreshIntervalMs?: number;
  /** True: scan when a folder changes. */
  readonly watch?: boolean;
}

/** Repositories whose content is served, as far as a scan needs them. */
interface ServedRepos {
  readonly roots: readonly LibraryRoot[];
  /** Fixes one version of each repository for one scan. */
  plan(): Promise<Pick<RootPlan, "roots" | "awaited" | "diagnostics">>;
  repoAt(file: string): RepoPlace | undefined;
}

/** What a registry is opened with: which skills are served, when they are refreshed, and from where else they come. */
export interface OpenViewOptions extends SkillViewOptions, FreshnessOptions {
  readonly git?: ServedRepos;
  /** The only folder that the catalog tools cover; everything that is served when absent. */
  readonly catalogRoot?: string;
  /** Observes each scan, and in a server searches and scripts; nobody does when absent. */
  readonly observe?: ObserveWork;
}

export const DEFAULT_REFRESH_INTERVAL_MS = 30_000;

/** The folders that relative paths and defaults start from. */
export interface Places {
  readonly cwd: string;
  readonly home: string;
  /** Folders of agents that lie elsewhere than in the home folder. */
  readonly moved: MovedFolders;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** Makes a path absolute that a person wrote: relative to `cwd`, with `~` for `home`. */
  resolve(given: string): string;
}

export function resolvePlaces({ cwd: givenCwd, userDir, folders }: OpenViewOptions): Places {
  const cwd = path.resolve(givenCwd ?? process.cwd());
  const home = path.resolve(cwd, userDir ?? homeFolder());
  const resolve = (given: string): string => path.resolve(cwd, expandHome(given, home));
  return { cwd, home, moved: folders?.moved ?? {}, ownFolder: path.join(home, ".skills-mcp"), resolve };
}

export function libraryRoots(
  { library, git }: OpenViewOptions,
  { cwd, resolve }: Places,
): readonly LibraryRoot[] {
  // With a library folder, repositories contribute skills and plugins but no libraries.
  if (library === undefined) return git?.roots ?? [];
  const dir = resolve(library);
  return [{ dir, location: isInside(cwd, dir) ? "project" : "user", prefix: "", named: true }];
}

/** Identifies what decides which skills are served: two servers with the same key can share an index. */
export function viewKey(
  { library, folders, plugins, reading, filter, git, wrongSettings = [] }: OpenViewOptions,
  { cwd, home }: Places,
  profiles: readonly string[] = [],
): string {
  const repos = git?.roots.map(({ dir }) => dir);
  const withheld = wrongSettings.length === 0 ? [] : [{ wrongSettings }];
  return JSON.stringify([
    cwd,
    home,
    library,
    repos,
    folders,
    plugins,
    reading,
    filter,
    ...withheld,
    ...profiles,
  ]);
}

export function pluginOptions({ file, root }: PluginChoice, { home, moved, resolve }: Places): PluginOptions {
  const claude = userFolder(".claude", home, moved);
  const folder = path.join(claude, "plugins");
  return {
    file: file === undefined ? path.join(folder, "installed_plugins.json") : resolve(file),
    root: root === undefined ? folder : resolve(root),
    settingsFile: path.join(claude, "settings.json"),
    named: file !== undefined,
  };
}

export function filterOf({ include = [], narrowTo = [], exclude = [] }: FilterTokens = {}): Filter {
  return {
    include: parseIncludes(include, PROVIDERS),
    narrowTo: parseIncludes(narrowTo, PROVIDERS),
    exclude: parseFilterTokens(exclude, PROVIDERS),
  };
}
