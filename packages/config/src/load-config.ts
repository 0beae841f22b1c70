import path from "node:path";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import type { FileOwner } from "./file-owner.ts";
import { mergeSettings, type Setting } from "./merge.ts";
import { readConfigFile } from "./read-config-file.ts";
import { readEnvironment, trustsConfig } from "./read-environment.ts";
import type { Config, ConfigProblem, ConfigValues } from "./settings.ts";
import { joinLibraries, judgeLibrarySettings, libraryDecisions } from "./trust.ts";

/** A library's `config.yaml`, which need not exist. */
export interface LibraryConfigFile {
  readonly file: string;
  /** True: anyone with push access to the repository can write the file. */
  readonly fromGit: boolean;
}

export interface ConfigSources {
  /** Of several that set a key, the first counts. */
  readonly libraryFiles: readonly LibraryConfigFile[];
  /** The operator's own file; see `ownConfigFile`. */
  readonly ownFile: string;
  readonly environment: NodeJS.ProcessEnv;
  /** True: the log names the settings of libraries that take effect. */
  readonly announces?: boolean;
  readonly log: Log;
}

/** Where the operator's own settings are. */
export function ownConfigFile(home: string): string {
  return path.join(home, ".skills-mcp", "config.yaml");
}

/**
 * The effective settings: defaults, then the libraries' files, then the operator's own, then the environment. All
 * problems are one `Refusal` with a line for each.
 */
export async function loadConfig({
  libraryFiles,
  ownFile,
  environment,
  announces = false,
  log,
}: ConfigSources): Promise<Config> {
  const trusted = trustsConfig(environment);
  const fromEnvironment = readEnvironment(environment);
  const problems: ConfigProblem[] = [];
  const libraries: (readonly Setting[])[] = [];
  // `~` in a setting means the home folder that the own file is in.
  const home = path.dirname(path.dirname(ownFile));

  const files = withoutRepeats(libraryFiles, ownFile);
  for (const { file, fromGit } of files) {
    const options = { followLinks: !fromGit, home, owner: "library", onIgnored: warnInto(log) } as const;
    const layer = await readLayer(file, options, problems);
    const { settings, ignored } = judgeLibrarySettings(layer, { file, ownFile, fromGit, trusted });
    for (const line of ignored) log.warn(line);
    libraries.push(settings);
  }
  // The command line has logged what was ignored in it (file-settings.ts).
  const own = await readLayer(ownFile, { followLinks: true, home }, problems);

  problems.push(...fromEnvironment.problems);
  refuseProblems(problems);
  const config = mergeSettings([joinLibraries(libraries), own, fromEnvironment.settings]);
  const names = announces ? files.map(({ file }) => file) : [];
  for (const line of libraryDecisions(config, names, ownFile)) log.warn(line);
  return config;
}

export function warnInto(log: Log): (warning: ConfigProblem) => void {
  return ({ place, message }) => log.warn(`${place}: ${message}`);
}

/** Throws one `Refusal` with a line for each problem, if there are any. */
export function refuseProblems(problems: readonly ConfigProblem[]): void {
  if (problems.length === 0) return;
  const lines = problems.map(({ place, message }) => `${place}: ${message}`);
  throw new Refusal(lines.join("\n"), { code: "bad-config", problems });
}

/** The operator's own file over the defaults. Problems of the file are ignored: the command that starts a server reports them. */
export async function readOwnSettings(home: string): Promise<ConfigValues> {
  return mergeSettings([await readLayer(ownConfigFile(home), { followLinks: true, home }, [])]).values;
}

/** Checks a library's file: what is wrong with it, and what is ignored in it. A missing file has no problems. */
export async function configProblems(
  file: string,
): Promise<Record<"problems" | "warnings", readonly ConfigProblem[]>> {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const options = { followLinks: true, home: path.dirname(file), owner: "library" } as const;
  await readLayer(file, { ...options, onIgnored: (one) => void warnings.push(one) }, problems);
  return { problems, warnings };
}

interface LayerSource {
  readonly followLinks: boolean;
  readonly home: string;
  readonly owner?: FileOwner;
  /** Called with each thing that was ignored. */
  readonly onIgnored?: (warning: ConfigProblem) => void;
}

/** What a file sets; nothing when it does not exist. Its problems are added to `problems`. */
export async function readLayer(
  file: string,
  { followLinks, home, owner = "operator", onIgnored }: LayerSource,
  problems: ConfigProblem[],
): Promise<readonly Setting[]> {
  const reading = await readConfigFile(file, {
    followLinks,
    ...(owner === "project" ? { where: "a project" } : {}),
  });
  if (reading === undefined) return [];
  if (!reading.ok) {
    problems.push({ place: file, message: reading.message });
    return [];
  }
  // Loaded on demand: the schema takes as long to load as Node itself, and most people have no config.
  const { checkConfigFile } = await import("./check-file.ts");
  const checked = checkConfigFile({ file, text: reading.text, home, owner });
  problems.push(...checked.problems);
  for (const warning of checked.warnings) onIgnored?.(warning);
  return checked.settings;
}

/** Each file once, though libraries may share one with each other or with the operator. */
function withoutRepeats(files: readonly LibraryConfigFile[], ownFile: string): readonly LibraryConfigFile[] {
  const seen = new Map<string, LibraryConfigFile>();
  for (const { file, fromGit } of files) {
    const known = seen.get(path.resolve(file));
    seen.set(path.resolve(file), { file, fromGit: fromGit || known?.fromGit === true });
  }
  seen.delete(path.resolve(ownFile));
  return [...seen.values()];
}
