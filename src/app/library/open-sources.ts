import { homedir } from "node:os";
import path from "node:path";
import { expandHome } from "../../registry/roots.ts";
import { type LibraryConfigFile, loadConfig, ownConfigFile } from "../config/load-config.ts";
import type { Config } from "../config/settings.ts";
import type { UsageSettings } from "../options.ts";
import type { GitLibraries } from "./git-libraries.ts";

export interface SourceOptions {
  /** A folder that was named; it goes before repositories. */
  readonly library: string | undefined;
  readonly userDir: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

/** Where library skills come from, and the settings that count. */
export interface Sources {
  readonly git: GitLibraries | undefined;
  readonly settings: () => Config;
  readonly usage: UsageSettings;
  close(): Promise<void>;
}

/** Reads the settings and opens the repositories. Wrong settings are refused before anything is served. */
export async function openSources(options: SourceOptions): Promise<Sources> {
  const { environment, log } = options;
  const home = path.resolve(options.userDir ?? homedir());
  const ownFile = ownConfigFile(home);
  const git = await openGitLibraries(options);
  const load = async (): Promise<Config> =>
    loadConfig({ libraryFiles: await configFiles(options, home, git), ownFile, environment, log });

  let config = await load();
  let loading: Promise<void> = Promise.resolve();
  git?.onUpdate(() => {
    // One after the other, so that an older file never replaces a newer one.
    loading = loading.then(load).then(
      (fresh) => {
        config = fresh;
      },
      // Content that arrives while we serve must not end the server.
      (error: unknown) => log(`the settings stay as they were: ${String(error)}`),
    );
  });
  return {
    git: git === undefined ? undefined : withSettings(git, () => loading),
    settings: () => config,
    usage: usageSettings(config, ownFile),
    close: async () => git?.close(),
  };
}

/** Whoever waits for content gets the settings that came with it too: they may say that no script is run. */
function withSettings(git: GitLibraries, loading: () => Promise<void>): GitLibraries {
  const afterLoading = async <T>(answer: Promise<T>): Promise<T> => {
    const settled = await answer;
    await loading();
    return settled;
  };
  return {
    ...git,
    fetchMissing: () => afterLoading(git.fetchMissing()),
    refresh: () => afterLoading(git.refresh()),
  };
}

/** The repositories that the environment names; undefined when there are none, or a folder is named. */
export async function openGitLibraries({
  library,
  userDir,
  environment,
  log,
}: SourceOptions): Promise<GitLibraries | undefined> {
  const repos = environment["SKILLS_REPO"]?.trim() ?? "";
  if (library !== undefined || repos === "") return undefined;
  // Loaded on demand: most people have no repository.
  const { createGitLibraries } = await import("./git-libraries.ts");
  return createGitLibraries({
    repos,
    branch: environment["SKILLS_BRANCH"]?.trim() || "main",
    token: environment["GITHUB_TOKEN"] || undefined,
    ownFolder: path.join(path.resolve(userDir ?? homedir()), ".skills-mcp"),
    environment,
    log,
  });
}

async function configFiles(
  { library }: SourceOptions,
  home: string,
  git: GitLibraries | undefined,
): Promise<readonly LibraryConfigFile[]> {
  if (library === undefined) return (await git?.configFiles()) ?? [];
  return [{ file: path.join(path.resolve(expandHome(library, home)), "config.yaml"), fromGit: false }];
}

/** What people typed leaves the machine in full only towards an endpoint that the operator named. */
function usageSettings({ values, origins }: Config, ownFile: string): UsageSettings {
  const { enabled, endpoint, context, history } = values.analytics;
  const origin = origins.get("analytics.endpoint");
  const byOperator = origin?.kind === "environment" || (origin?.kind === "file" && origin.file === ownFile);
  return {
    endpoint: enabled && endpoint !== "" ? endpoint : undefined,
    context: context ?? (byOperator ? "full" : "hash"),
    history,
  };
}
