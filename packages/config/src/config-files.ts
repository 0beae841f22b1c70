import { isUtf8 } from "node:buffer";
import path from "node:path";
import { findProjects, homeNames } from "#skills";
import { describeError, errorCode, type Log, lstat, mayExist, realpath, withOpenFile } from "#util";
import { Refusal } from "#util/pure";
import type { FileOwner } from "./check-file.ts";
import { mayHaveProjectFile, PROJECT_FILE, possibleProjectFiles } from "./possible-project-files.ts";
import {
  type Config,
  type ConfigProblem,
  type ConfigValues,
  keyPath,
  leavesOf,
  mergeSettings,
  type Origin,
  type Setting,
  valuesOf,
} from "./settings.ts";

/** Bytes of the largest file that is read: far more than any settings need. */
const LARGEST_CONFIG = 1024 * 1024;

type ConfigFileReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/**
 * The text of a config file; undefined when there is none. People link to their own files; in a library from git or a project
 * a link could lead anywhere, so it is not followed.
 */
export async function readConfigFile(
  file: string,
  { followLinks, where = "a library from git" }: { readonly followLinks: boolean; readonly where?: string },
): Promise<ConfigFileReading | undefined> {
  try {
    return await readRegularFile(followLinks ? await realpath(file) : file);
  } catch (error) {
    const code = errorCode(error);
    const isThere = code !== "ENOENT" || (await lstat(file).catch(() => undefined)) !== undefined;
    if (code === "ENOTDIR" || !isThere) return undefined;
    if (code === "ENOENT") return failed("it is a link to a file that does not exist");
    if (code === "ELOOP" && !followLinks)
      return failed(`it is a link, and links are not followed in ${where}`);
    return failed(describeError(error));
  }
}

function readRegularFile(file: string): Promise<ConfigFileReading> {
  return withOpenFile(file, async ({ stats, readStart }): Promise<ConfigFileReading> => {
    if (!stats.isFile()) return failed("it is not a regular file");
    if (stats.size > LARGEST_CONFIG) return failed("the file is larger than 1 MiB");
    const bytes = await readStart(stats.size);
    return isUtf8(bytes)
      ? { ok: true, text: bytes.toString("utf8") }
      : failed("it is not UTF-8 text; save it again with the UTF-8 encoding");
  });
}

function failed(reason: string): ConfigFileReading {
  return { ok: false, message: `The file cannot be read: ${reason}.` };
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
  const where = owner === "project" ? { where: "a project" } : {};
  const reading = await readConfigFile(file, { followLinks, ...where });
  if (reading === undefined) return [];
  // Loaded on demand: the schema takes as long to load as Node itself, and most people have no config.
  const { checkConfigFile, withheldBy } = await import("./check-file.ts");
  if (!reading.ok) {
    problems.push({ place: file, message: reading.message, ...withheldBy(owner) });
    return [];
  }
  const checked = checkConfigFile({ file, text: reading.text, home, owner });
  problems.push(...checked.problems);
  for (const warning of checked.warnings) onIgnored?.(warning);
  return checked.settings;
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

/** Where the operator's own settings are. */
export function ownConfigFile(home: string): string {
  return path.join(home, ".skills-mcp", "config.yaml");
}

/** The operator's own file over the defaults. Problems of the file are ignored: the command that starts a server reports them. */
export async function readOwnSettings(home: string): Promise<ConfigValues> {
  return mergeSettings([await readLayer(ownConfigFile(home), { followLinks: true, home }, [])]).values;
}

/** The settings file of the project: the nearest one, in the working directory or above it up to the root of its repository. */
export async function findProjectFile(cwd: string, home: string): Promise<string | undefined> {
  const found = possibleProjectFiles(cwd, home);
  const [nearest] = found;
  if (nearest === undefined || path.dirname(nearest) === cwd) return nearest;
  const { folders } = await findProjects({ starts: [cwd], homes: await homeNames([home]) });
  return found.find((file) => folders.includes(path.dirname(file)));
}

/** What the operator's own file and the project's file set, by key path. */
export interface FileSettings {
  readonly own: ReadonlyMap<string, Setting>;
  readonly project: ReadonlyMap<string, Setting>;
  /** Everything that is wrong with them. Of the own file what is right counts, of the project's nothing. */
  readonly problems: readonly ConfigProblem[];
}

type SettingsPlaces = Readonly<Record<"cwd" | "home", string>>;

/** Whether there is a file with settings of the operator or the project. Reads nothing. */
export function hasFileSettings({ cwd, home }: SettingsPlaces): boolean {
  return mayExist(ownConfigFile(home)) || mayHaveProjectFile(cwd, home);
}

/** The project's file, or where one would be. */
export async function projectFileOf({ cwd, home }: SettingsPlaces): Promise<string> {
  return (await findProjectFile(cwd, home)) ?? path.join(cwd, PROJECT_FILE);
}

/** Reads both files. What they may not set is logged. */
export async function readFileSettings({ cwd, home }: SettingsPlaces, log: Log): Promise<FileSettings> {
  const problems: ConfigProblem[] = [];
  const onIgnored = warnInto(log);
  const own = await readLayer(ownConfigFile(home), { followLinks: true, home, onIgnored }, problems);
  const file = await findProjectFile(cwd, home);
  const options = { followLinks: false, home, owner: "project", onIgnored } as const;
  const project = file === undefined ? [] : await readLayer(file, options, problems);
  const byKey = (settings: readonly Setting[]) =>
    new Map(settings.map((setting) => [keyPath(setting.parts), setting]));
  return { own: byKey(own), project: byKey(project), problems };
}

/** Adds what the project's file sets: a single value replaces the other, a list appears under `project.`. */
export function withProject({ values, origins }: Config, { project }: FileSettings): Config {
  const added = Array.from(project.values(), (setting): Setting => {
    const isList = Array.isArray(setting.value);
    return isList ? { ...setting, parts: ["project", ...setting.parts] } : setting;
  });
  const more = added.map(({ parts, origin }): [string, Origin] => [keyPath(parts), origin]);
  return { values: valuesOf([...leavesOf(values), ...added]), origins: new Map([...origins, ...more]) };
}

/** The file of an origin, with the line where it is known. */
export function placeOfOrigin(origin: Origin): string {
  if (origin.kind !== "file") return origin.kind;
  return origin.line === undefined ? path.normalize(origin.file) : `${origin.file}:${origin.line}`;
}
