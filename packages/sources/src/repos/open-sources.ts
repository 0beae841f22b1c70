import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type Config,
  type ConfigProblem,
  headersOf,
  ownConfigFile,
  readConfig,
  refuseProblems,
  requiresSigned,
} from "#config";
import { type SettingsRepos, whyWithheld } from "#skills";
import type { UsageSettings } from "#usage";
import { expandHome, homeFolder, type Log, type ObserveWork, ownFolderIn } from "#util";
import { defined, Refusal } from "#util/pure";
import { refuseForeignRepos } from "../address/allowed-source.ts";
import { openHostTokens } from "../credentials/host-tokens.ts";
import type { GitLibraries } from "./git-libraries.ts";

export interface SourceOptions {
  /** A folder that was named; it takes precedence over SKILLS_REPO. */
  readonly library: string | undefined;
  /** Repositories that settings name, besides those of SKILLS_REPO. */
  readonly repos?: SettingsRepos | undefined;
  readonly userDir: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** True, for servers: the log says what libraries decide in effect. */
  readonly announces?: boolean;
  /** Given by a server that runs whatever is wrong in the settings: called when other problems than at the start appear. */
  readonly onProblems?: (() => void) | undefined;
  /** Called with each fetch. */
  readonly observe?: ObserveWork | undefined;
  readonly log: Log;
}

/** Where library skills come from, and the effective settings. */
export interface Sources {
  readonly git: GitLibraries | undefined;
  readonly settings: () => Config;
  /** What was wrong at the start; only with `onProblems`, else it is a `Refusal`. */
  readonly problems: readonly ConfigProblem[];
  /** Reads the settings again. Invalid ones are a `Refusal`; valid ones count once they are replaced. */
  readonly readSettings: () => Promise<Config>;
  readonly replaceSettings: (config: Config) => void;
  /** The files that settings come from, but for those in repositories. They need not exist. */
  readonly settingsFiles: readonly string[];
  readonly usage: UsageSettings;
  /** Settles when the first content of a repository has invalid settings: a server must not run with them. */
  readonly broken: Promise<Refusal>;
  close(): Promise<void>;
}

export interface InspectedSources {
  readonly git: GitLibraries | undefined;
  readonly config: Config | undefined;
  /** With these a server over HTTP does not start. */
  readonly wrongSettings: readonly ConfigProblem[];
}

/** Reads the settings and opens the repositories. Invalid settings are refused before anything is served, or are `problems`. */
export async function openSources(options: SourceOptions): Promise<Sources> {
  const { library, log, onProblems } = options;
  const home = homeOf(options);
  const ownFile = ownConfigFile(home);
  const { git, problems: refused } =
    onProblems === undefined
      ? { git: await openGitLibraries(options), problems: [] }
      : await openGitAnyway(options);
  const load = () => loadSettings(options, git);

  const first = onProblems === undefined ? undefined : await readSettings(options, git);
  let config = first?.config ?? (await firstConfig(load, git));
  const problems = [...refused, ...(first?.problems ?? [])];
  let reportBroken = (_error: Refusal): void => {};
  const broken = new Promise<Refusal>((resolve) => {
    reportBroken = resolve;
  });
  git?.onUpdate("settings", async ({ isFirst }) => {
    if (first !== undefined) {
      const fresh = await readSettings(options, git);
      if (!isDeepStrictEqual(fresh.problems, first.problems)) onProblems?.();
      // The content is not served with settings that it does not have.
      refuseProblems(whyWithheld("library", fresh.problems));
      config = fresh.config;
      return;
    }
    try {
      config = await load();
    } catch (error) {
      // Before the first content there are no earlier settings to fall back to.
      if (isFirst && error instanceof Refusal) {
        reportBroken(error);
        throw error;
      }
      // An update must not stop a running server.
      const reason = error instanceof Refusal ? error.message : String(error);
      for (const line of reason.split("\n"))
        log.error(`new settings rejected, keeping the old ones: ${line}`);
    }
  });
  return {
    git,
    settings: () => config,
    problems,
    readSettings: load,
    replaceSettings(fresh) {
      config = fresh;
    },
    settingsFiles: [ownFile, ...(library === undefined ? [] : [configFileOf(library, home)])],
    usage: usageSettings(config, ownFile, log),
    broken,
    close: async () => git?.close(),
  };
}

/** What a server that starts now would serve, without serving it; invalid settings are reported. */
export async function inspectSources(options: SourceOptions): Promise<InspectedSources> {
  const { git, problems: refused } = await openGitAnyway(options);
  try {
    await git?.refresh();
    const { config, problems } = await readSettings(options, git);
    return { git, config, wrongSettings: [...refused, ...problems] };
  } catch (error) {
    await git?.close();
    throw error;
  }
}

/** The repositories. Addresses that cannot be understood are a problem of the settings, and none is opened. */
async function openGitAnyway(
  options: SourceOptions,
): Promise<{ readonly git: GitLibraries | undefined; readonly problems: readonly ConfigProblem[] }> {
  try {
    return { git: await openGitLibraries(options), problems: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = namedRepos(options.environment) === undefined ? "repos" : "SKILLS_REPO";
    return { git: undefined, problems: [{ place, message: error.message, withholds: ["library"] }] };
  }
}

/** The settings. Invalid ones are a `Refusal`. */
async function loadSettings(options: SourceOptions, git: GitLibraries | undefined): Promise<Config> {
  const { config, problems } = await readSettings(options, git);
  refuseProblems(problems);
  return config;
}

async function readSettings(options: SourceOptions, git: GitLibraries | undefined) {
  const { library, environment, announces = false, log } = options;
  const home = homeOf(options);
  const libraryFiles =
    library === undefined
      ? ((await git?.configFiles()) ?? [])
      : [{ file: configFileOf(library, home), fromGit: false }];
  return readConfig({ libraryFiles, ownFile: ownConfigFile(home), environment, announces, log });
}

/** The settings at the start. Invalid ones of a repository may have been fixed since, so they are fetched again. */
async function firstConfig(load: () => Promise<Config>, git: GitLibraries | undefined): Promise<Config> {
  try {
    try {
      return await load();
    } catch (error) {
      if (git === undefined || (await problemsInContent(error, git)).length === 0) throw error;
      await git.refresh();
      return await load();
    }
  } catch (error) {
    await git?.close();
    throw error;
  }
}

/** The problems, if all of them are in settings that come with the content; else none. */
async function problemsInContent(error: unknown, git: GitLibraries): Promise<readonly ConfigProblem[]> {
  if (!(error instanceof Refusal) || error.detail.code !== "bad-config") return [];
  const files = await git.configFiles();
  const { problems } = error.detail;
  const isInContent = problems.every(({ place }) =>
    files.some(({ file }) => place === file || place.startsWith(`${file}:`)),
  );
  return isInContent ? problems : [];
}

const homeOf = ({ userDir }: Pick<SourceOptions, "userDir">): string => path.resolve(userDir ?? homeFolder());

/** Whether there is a library at all, before anything is opened. */
export function hasLibrary(
  { library, repos }: Pick<SourceOptions, "repos"> & { readonly library?: string | undefined },
  environment: NodeJS.ProcessEnv,
): boolean {
  const ofOperator = namedRepos(environment) !== undefined || (repos?.own ?? []).length > 0;
  return library !== undefined || ofOperator;
}

/** The repositories that the environment names; an empty variable counts as unset. */
export function namedRepos(environment: NodeJS.ProcessEnv): string | undefined {
  return environment["SKILLS_REPO"]?.trim() || undefined;
}

const NO_REPOS: SettingsRepos = { own: [], project: [] };
/** How messages name the lists. */
const OWN_LIST = "repos in ~/.skills-mcp/config.yaml";
const PROJECT_LIST = "repos in .skills-mcp.yaml";

/** Opens the repositories that the environment and the settings name; undefined when there are none. */
export async function openGitLibraries({
  library,
  repos: { own, project } = NO_REPOS,
  userDir,
  environment,
  observe,
  log,
}: SourceOptions): Promise<GitLibraries | undefined> {
  const named = library === undefined ? namedRepos(environment) : undefined;
  if (named === undefined && own.length + project.length === 0) return undefined;
  // Loaded on demand: most people have no repository.
  const { createGitLibraries, OPERATOR_LIST, splitRepoList } = await import("./git-libraries.ts");
  const home = homeOf({ userDir });
  const all = [...(named === undefined ? [] : splitRepoList(named)), ...own, ...project];
  await refuseForeignRepos(all);
  return createGitLibraries({
    repos: [
      ...(named === undefined ? [] : [{ use: OPERATOR_LIST, addresses: splitRepoList(named) }]),
      ...(own.length === 0 ? [] : [{ use: OWN_LIST, addresses: own }]),
      ...(project.length === 0 ? [] : [{ use: PROJECT_LIST, addresses: project, isForeign: true }]),
    ],
    branch: environment["SKILLS_BRANCH"]?.trim() || undefined,
    tokenFor: openHostTokens({ home, environment }).find,
    requireSigned: requiresSigned(environment),
    ownFolder: ownFolderIn(home),
    environment,
    ...defined({ observe }),
    log,
  });
}

function configFileOf(library: string, home: string): string {
  return path.join(path.resolve(expandHome(library, home)), "config.yaml");
}

/** What people typed is sent in full only to an endpoint that the operator named, and so are the operator's headers. */
function usageSettings({ values, origins }: Config, ownFile: string, log: Log): UsageSettings {
  const { enabled, endpoint, context, caller, headers, server_id, history } = values.analytics;
  // Without an endpoint, whoever turned events on decides what the local file has.
  const origin = origins.get(endpoint === "" ? "analytics.enabled" : "analytics.endpoint");
  const byOperator = origin?.kind === "environment" || (origin?.kind === "file" && origin.file === ownFile);
  const isSent = enabled && endpoint !== "";
  if (isSent && !byOperator && headers.length > 0)
    log.warn(
      `analytics.headers are not sent, because a library chose the endpoint ${new URL(endpoint).origin}; to send them, set ANALYTICS_ENDPOINT yourself`,
    );
  return {
    endpoint: isSent ? endpoint : undefined,
    localFile: enabled && endpoint === "",
    headers: byOperator ? headersOf(headers) : {},
    serverId: server_id === "" ? undefined : server_id,
    context: context ?? (byOperator ? "full" : "hash"),
    caller,
    history,
  };
}
