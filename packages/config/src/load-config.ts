import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Log } from "#util";
import { readLayer, refuseProblems, warnInto } from "./config-files.ts";
import { allowedText, valueFromText } from "./declaration.ts";
import { readMachinePolicy, withinPolicy } from "./machine-policy.ts";
import {
  type Config,
  type ConfigProblem,
  DECLARED,
  DEFAULT_VALUES,
  type DeclaredSetting,
  declaredAt,
  keyPath,
  mergeSettings,
  type Setting,
} from "./settings.ts";

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

/** The effective settings. All problems are one `Refusal` with a line for each. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { config, problems } = await readConfig(sources);
  refuseProblems(problems);
  return config;
}

/**
 * The effective settings: defaults, then the libraries' files, then the operator's own, then the environment; and everything that
 * is wrong with them. What is wrong does not count.
 */
export async function readConfig({
  libraryFiles,
  ownFile,
  environment,
  announces = false,
  log,
}: ConfigSources): Promise<{ readonly config: Config; readonly problems: readonly ConfigProblem[] }> {
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
  // The command line has logged what was ignored in it (`readFileSettings`).
  const own = await readLayer(ownFile, { followLinks: true, home }, problems);

  problems.push(...fromEnvironment.problems);
  const { policy, problems: ofPolicy } = await readMachinePolicy();
  problems.push(...ofPolicy);
  const config = withinPolicy(
    mergeSettings([joinLibraries(libraries), own, fromEnvironment.settings]),
    policy,
  );
  const names = announces ? files.map(({ file }) => file) : [];
  for (const line of libraryDecisions(config, names, ownFile)) log.warn(line);
  return { config, problems };
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

/** The settings of a library's file that take effect, and lines for the log about the others. */
export interface Judged {
  readonly settings: readonly Setting[];
  readonly ignored: readonly string[];
}

interface JudgedLibrary {
  readonly file: string;
  readonly ownFile: string;
  /** True: whoever may push to the repository writes the file. */
  readonly fromGit: boolean;
  /** Whether the operator trusts the library with SKILLS_TRUST_CONFIG=1. */
  readonly trusted: boolean;
}

/** Applies the rule of each setting (`library` in its declaration) to what a library's file sets. */
export function judgeLibrarySettings(settings: readonly Setting[], library: JudgedLibrary): Judged {
  const judged = settings.map((setting) => ({ setting, ...judge(setting, library) }));
  const keysFor = (wanted: Judgement["reason"]): readonly string[] => [
    ...new Set(
      judged.flatMap(({ setting: { parts }, reason }) =>
        reason === wanted ? [keyPath(parts.slice(0, 2))] : [],
      ),
    ),
  ];
  return {
    settings: judged.flatMap(({ counted }) => counted ?? []),
    ignored: [
      ...line(library, keysFor("never"), "a library may only make scripts more restricted", false),
      ...line(library, keysFor("untrusted"), "a library may only make scripts more restricted", true),
      ...line(library, keysFor("from git"), "the library comes from git", true),
    ],
  };
}

interface Judgement {
  readonly counted: Setting | undefined;
  /** Why it does not count, or not as a whole. */
  readonly reason?: "never" | "untrusted" | "from git";
}

function judge(setting: Setting, { fromGit, trusted }: JudgedLibrary): Judgement {
  const rule = declaredAt(setting.parts)?.library ?? {};
  const { accept = (value: unknown) => value } = rule;
  if (trusted && rule.evenTrusted !== true) return { counted: setting };
  if (fromGit && rule.notFromGit === true) return { counted: undefined, reason: "from git" };
  const { value } = setting;
  const accepted = accept(value);
  if (isDeepStrictEqual(accepted, value)) return { counted: setting };
  return {
    counted: accepted === undefined ? undefined : { ...setting, value: accepted },
    reason: rule.evenTrusted === true ? "never" : "untrusted",
  };
}

function line(
  { file, ownFile }: JudgedLibrary,
  keys: readonly string[],
  reason: string,
  trustHelps: boolean,
): readonly string[] {
  if (keys.length === 0) return [];
  const [was, them] = keys.length === 1 ? ["was", "it"] : ["were", "them"];
  const way = `set ${them} in ${ownFile}${trustHelps ? ", or trust the library with SKILLS_TRUST_CONFIG=1" : ""}`;
  return [`${file}: ${keys.join(", ")} ${was} ignored, because ${reason}; ${way}.`];
}

/** One layer of several libraries: the first value of a key counts; of settings that a library tightens, the tightest. */
export function joinLibraries(layers: readonly (readonly Setting[])[]): readonly Setting[] {
  const joined = new Map<string, Setting>();
  for (const setting of layers.flat()) {
    const key = keyPath(setting.parts);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, setting);
    else if (declaredAt(setting.parts)?.library?.tightens === true) joined.set(key, tighter(known, setting));
  }
  return [...joined.values()];
}

function tighter(first: Setting, second: Setting): Setting {
  const [a, b] = [first.value, second.value];
  if (typeof a === "number" && typeof b === "number") return b < a ? second : first;
  if (Array.isArray(a) && Array.isArray(b)) return { ...first, value: a.filter((each) => b.includes(each)) };
  return b === false ? second : first;
}

/** A line for the log about each library's file that decides where events are sent or what runs scripts. */
export function libraryDecisions({ values, origins }: Config, files: readonly string[], ownFile: string) {
  const { analytics, scripts } = values;
  const decisions = [
    ...(analytics.enabled && analytics.endpoint !== ""
      ? [["analytics.endpoint", `usage events are sent to ${new URL(analytics.endpoint).origin}`] as const]
      : []),
    ...Object.entries(scripts.runners)
      .filter(([extension, command]) => DEFAULT_VALUES.scripts.runners[extension] !== command)
      .map(([extension, command]) => {
        return [
          keyPath(["scripts", "runners", extension]),
          `${extension} scripts are run by '${command}'`,
        ] as const;
      }),
  ];
  return files.flatMap((file) => {
    const own = decisions.flatMap(([key, text]) => {
      const origin = origins.get(key);
      return origin?.kind === "file" && origin.file === file ? [{ line: origin.line, text }] : [];
    });
    if (own.length === 0) return [];
    const at = own[0]?.line === undefined ? file : `${file}:${own[0].line}`;
    return [
      `${at}: this library decides that ${own.map(({ text }) => text).join(", and that ")}; to decide yourself, set it in ${ownFile}`,
    ];
  });
}

/** What the environment sets. An empty variable counts as unset, because client configs cannot leave one out. */
export function readEnvironment(environment: NodeJS.ProcessEnv): {
  readonly settings: readonly Setting[];
  readonly problems: readonly ConfigProblem[];
} {
  const settings: Setting[] = [];
  const problems: ConfigProblem[] = [];
  for (const declared of DECLARED) {
    const { parts, environment: from } = declared;
    const given = from === undefined ? "" : (environment[from.variable]?.trim() ?? "");
    if (from === undefined || given === "") continue;
    const { variable, turnsOn, read = (text: string) => readText(declared, text) } = from;
    const reading = read(given);
    if ("wrong" in reading) {
      const { withholds } = declared;
      problems.push({
        place: variable,
        message: reading.wrong,
        ...(withholds === undefined ? {} : { withholds }),
      });
      continue;
    }
    const origin = { kind: "environment", variable } as const;
    if (turnsOn !== undefined) settings.push({ parts: [parts[0], turnsOn], value: true, origin });
    settings.push({ parts, value: reading.value, origin });
  }
  const signed = environment[SIGNED]?.trim() ?? "";
  if (!/^[01]?$/.test(signed)) {
    const message = `The value is ${shown(signed)}, but must be 1 (only signed commits are served) or 0.`;
    problems.push({ place: SIGNED, message });
  }
  return { settings, problems };
}

function readText({ type, environment }: DeclaredSetting, given: string) {
  const value = valueFromText(type, given);
  if (value !== undefined) return { value };
  // A text is not repeated: it may contain a password.
  const what = type.kind === "text" ? "The value must" : `The value is ${shown(given)}, but must`;
  return { wrong: `${what} be ${allowedText(type)}.${environment?.advice ?? ""}` };
}

const shown = (given: string): string => JSON.stringify(given.slice(0, 60));

/** Whether only commits are served whose signature the operator's git accepts: SKILLS_REQUIRE_SIGNED is set, and not to 0. */
export function requiresSigned(environment: NodeJS.ProcessEnv): boolean {
  return !/^0?$/.test(environment[SIGNED]?.trim() ?? "");
}

/** Whether the operator trusts libraries with settings that are otherwise the operator's alone. */
export function trustsConfig(environment: NodeJS.ProcessEnv): boolean {
  return environment["SKILLS_TRUST_CONFIG"]?.trim() === "1";
}

const SIGNED = "SKILLS_REQUIRE_SIGNED";
