import path from "node:path";
import { homeFolder } from "../../registry/home-folder.ts";
import { expandHome } from "../../registry/roots.ts";
import { Refusal } from "../../skill/refusal.ts";
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
  const home = path.resolve(options.userDir ?? homeFolder());
  const ownFile = ownConfigFile(home);
  const git = await openGitLibraries(options);
  const load = async (): Promise<Config> =>
    loadConfig({ libraryFiles: await configFiles(options, home, git), ownFile, environment, log });

  let config = await firstConfig(load, git);
  let following: Promise<void> = Promise.resolve();
  git?.onUpdate(() => {
    // One after the other, so that the newest content has the last word.
    following = following.then(load).then(
      (fresh) => {
        config = fresh;
      },
      // Content that arrives while we serve must not end the server.
      (error: unknown) => {
        const reason = error instanceof Refusal ? error.message : String(error);
        for (const line of reason.split("\n")) log(`the settings stay as they were: ${line}`);
      },
    );
    return following;
  });
  return {
    git,
    settings: () => config,
    usage: usageSettings(config, ownFile),
    close: async () => git?.close(),
  };
}

/** The settings to begin with. What is wrong in a repository may be right there by now, and only a fetch can tell. */
async function firstConfig(load: () => Promise<Config>, git: GitLibraries | undefined): Promise<Config> {
  try {
    try {
      return await load();
    } catch (error) {
      if (git === undefined || !(await isInContent(error, git))) throw error;
      await git.refresh();
      return await load();
    }
  } catch (error) {
    await git?.close();
    throw error;
  }
}

async function isInContent(error: unknown, git: GitLibraries): Promise<boolean> {
  if (!(error instanceof Refusal) || error.detail.code !== "bad-config") return false;
  const place = error.detail.file;
  return (await git.configFiles()).some(({ file }) => place === file || place.startsWith(`${file}:`));
}

/** Whether skills of a library are served at all, before anything is opened. */
export function hasLibrary(library: string | undefined, environment: NodeJS.ProcessEnv): boolean {
  return library !== undefined || namedRepos(environment) !== undefined;
}

/** What the environment says of repositories; an empty variable says nothing. */
export function namedRepos(environment: NodeJS.ProcessEnv): string | undefined {
  return environment["SKILLS_REPO"]?.trim() || undefined;
}

/** The repositories that the environment names; undefined when there are none, or a folder is named. */
export async function openGitLibraries({
  library,
  userDir,
  environment,
  log,
}: SourceOptions): Promise<GitLibraries | undefined> {
  const repos = namedRepos(environment);
  if (library !== undefined || repos === undefined) return undefined;
  // Loaded on demand: most people have no repository.
  const { createGitLibraries } = await import("./git-libraries.ts");
  return createGitLibraries({
    repos,
    branch: environment["SKILLS_BRANCH"]?.trim() || "main",
    token: environment["GITHUB_TOKEN"] || undefined,
    ownFolder: path.join(path.resolve(userDir ?? homeFolder()), ".skills-mcp"),
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
