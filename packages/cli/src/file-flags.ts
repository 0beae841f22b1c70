import { isDeepStrictEqual } from "node:util";
import {
  type ConfigProblem,
  type FileSettings,
  FLAG_SETTINGS,
  hasFileSettings,
  keyPath,
  placeOfOrigin,
  readFileSettings,
} from "#config";
import { DEFAULT_TOOLS, selectTools } from "#server";
import {
  type AuditSettings,
  type ProfileSettings,
  type RuleLists,
  SEVERITIES,
  type SettingsRepos,
} from "#skills";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import type { Flags, FlagValues, ParsedFlags } from "./flags.ts";
import { homeFor } from "./shared-flags.ts";

/** Values that only settings files can give, by the name that they have among the flags. */
const FILE_SETTINGS: Readonly<Record<string, { readonly key: string }>> = {
  narrowTo: { key: "skills.include" },
  repos: { key: "repos" },
  audit: { key: "audit.block" },
  auditLog: { key: "audit.log" },
};

/** What is chosen on a command line and in the files. */
export interface ReadFlags<T extends Flags> {
  /** The flags of the command line, with those that were not written from the files, as far as these are right. */
  readonly given: FlagValues<T>;
  /** Everything that is wrong in the files. */
  readonly problems: readonly ConfigProblem[];
  /** The flags without the project's file, and where that has a setting; undefined when there is none. */
  readonly withoutProject?: { readonly given: FlagValues<T>; readonly placeOf: (key: string) => string };
  /** Where the operator's own file has a setting; undefined when there is no such file. */
  readonly ownPlace?: (key: string) => string;
  /** The flags that were written on the command line alone. */
  readonly written: FlagValues<T>;
}

/** Reads the files for the flags of a command line. */
export async function readFlags<T extends Flags>(
  parsed: ParsedFlags<T>,
  known: T,
  log: Log,
): Promise<ReadFlags<T>> {
  const { flags } = parsed;
  const alone = { given: flags, problems: [], written: flags };
  const fillable = Object.keys(known).filter((name) => FLAG_SETTINGS[name]?.isFilled === true);
  if (fillable.length === 0) return alone;
  const { "user-dir": userDir }: { readonly "user-dir"?: unknown } = flags;
  const places = { cwd: process.cwd(), home: homeFor(typeof userDir === "string" ? userDir : undefined) };
  if (!hasFileSettings(places)) return alone;
  const read = await readFileSettings(places, log);
  const { files, problems } = withoutUnknownTools(read);
  const placesIn = (settings: FileSettings["own"]) => {
    const [first] = settings.values();
    return first && ((key: string) => placeOfOrigin((settings.get(key) ?? first).origin));
  };
  const inProject = placesIn(files.project);
  const ownPlace = placesIn(files.own);
  const withoutProject = inProject && {
    given: fillFlags(parsed, fillable, { ...files, project: new Map() }),
    placeOf: inProject,
  };
  return {
    given: fillFlags(parsed, fillable, files),
    problems,
    written: flags,
    ...(withoutProject && { withoutProject }),
    ...(ownPlace && { ownPlace }),
  };
}

/** The flags with what the files say where nothing was written. */
function fillFlags<T extends Flags>(
  { flags, named }: ParsedFlags<T>,
  fillable: readonly string[],
  files: FileSettings,
): FlagValues<T> {
  const isExcluded = (name: string) => FLAG_SETTINGS[name]?.excludes.some((other) => named.has(other));
  const missing = fillable.filter((name) => !named.has(name) && isExcluded(name) !== true);
  const repos = reposIn(files);
  const audit = auditIn(files);
  const auditLog = files.own.get("audit.log")?.value;
  const visibility = visibilityIn(files);
  return {
    ...flags,
    ...valuesFor(missing, files),
    ...(repos === undefined ? {} : { repos }),
    ...(fillable.includes("profile") ? { profiles: profilesIn(files) } : {}),
    ...(audit === undefined ? {} : { audit }),
    ...(auditLog === undefined ? {} : { auditLog }),
    ...(visibility === undefined ? {} : { visibility }),
  };
}

/** The settings in which two readings of the files differ, as far as the command line lets them count. */
export function changedFlagSettings(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  const keys = Object.entries({ ...FLAG_SETTINGS, ...FILE_SETTINGS }).map(([name, { key }]) => {
    return isDeepStrictEqual(before[name], after[name]) ? undefined : key;
  });
  return [...new Set(keys.flatMap((key) => key ?? []))];
}

/** From which severity on audited skills are not served; undefined to serve all. Only the operator's own file sets it. */
function auditIn({ own }: FileSettings): AuditSettings | undefined {
  const block = SEVERITIES.find((severity) => severity === own.get("audit.block")?.value);
  return block && { block, ignore: listOf(own.get("audit.ignore")?.value).map(String) };
}

/** How skills are listed; undefined: all as usual. Only the operator's own file sets it. */
function visibilityIn({ own }: FileSettings): RuleLists | undefined {
  const [always, name_only, manual] = ["always", "name_only", "manual"].map((key) =>
    listOf(own.get(`visibility.${key}`)?.value).map(String),
  );
  const lists = { always: always ?? [], name_only: name_only ?? [], manual: manual ?? [] };
  return Object.values(lists).every((list) => list.length === 0) ? undefined : lists;
}

/** The profiles by name. Only the operator's own file sets them. */
function profilesIn({ own }: FileSettings): Readonly<Record<string, ProfileSettings>> {
  const profiles = new Map<string, Record<string, unknown>>();
  for (const { parts, value } of own.values()) {
    const [section, name, key] = parts;
    if (section !== "profiles" || name === undefined || key === undefined) continue;
    profiles.set(name, { ...profiles.get(name), [key]: value });
  }
  return Object.fromEntries(profiles);
}

/** The repositories that the files name; undefined without any. */
export function reposIn({ own, project }: FileSettings): SettingsRepos | undefined {
  const [ofOperator, ofProject] = [own, project].map((file) => listOf(file.get("repos")?.value).map(String));
  return own.has("repos") || project.has("repos")
    ? { own: ofOperator ?? [], project: ofProject ?? [] }
    : undefined;
}

/** What the files say about these flags. */
export function valuesFor(
  names: readonly string[],
  { own, project }: Pick<FileSettings, "own" | "project">,
): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const name of names) {
    const { key, toFlag } = FLAG_SETTINGS[name] ?? { key: name, toFlag: (value: unknown) => value };
    const [mine, projects] = [own.get(key)?.value, project.get(key)?.value];
    if (mine === undefined && projects === undefined) continue;
    if (name === "profile" && projects !== undefined) {
      // Both hold: a project narrows what the operator chose, and never replaces it.
      values.set(name, mine).set("projectProfile", projects);
    } else if (!Array.isArray(mine ?? projects)) values.set(name, toFlag(projects ?? mine));
    else if (name === "include" && mine !== undefined && projects !== undefined) {
      // Both must hold: a project cannot bring back what the operator left out.
      values.set(name, mine).set("narrowTo", projects);
    } else values.set(name, [...listOf(projects), ...listOf(mine)]);
  }
  return Object.fromEntries(values);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

type FileSetting = NonNullable<ReturnType<FileSettings["own"]["get"]>>;

/** Reports tools that do not exist. Checked here, because the part that reads settings does not know the tools. */
function withoutUnknownTools(files: FileSettings): {
  readonly files: FileSettings;
  readonly problems: readonly ConfigProblem[];
} {
  const own = new Map(files.own);
  const problems = [...files.problems];
  for (const [key, setting] of files.own) {
    const [section, ...rest] = setting.parts;
    const isListOfTools = (section === "server" || section === "profiles") && rest.at(-1) === "tools";
    const problem = isListOfTools ? unknownTool(setting) : undefined;
    if (problem === undefined) continue;
    own.delete(key);
    problems.push(problem);
  }
  return { files: { ...files, own }, problems };
}

function unknownTool({ parts, value, origin }: FileSetting): ConfigProblem | undefined {
  try {
    selectTools(listOf(value).map(String), DEFAULT_TOOLS.loader);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const message = error.message.replace(/^--tools/, keyPath(parts));
    return {
      place: placeOfOrigin(origin),
      message,
      withholds: [parts[0] === "profiles" ? "profiles" : "skills"],
    };
  }
}
