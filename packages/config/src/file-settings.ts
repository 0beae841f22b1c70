import { existsSync } from "node:fs";
import path from "node:path";
import type { Log } from "#util";
import { keyPath, leavesOf, valuesOf } from "./leaves.ts";
import { ownConfigFile, readLayer, refuseProblems, warnInto } from "./load-config.ts";
import type { Setting } from "./merge.ts";
import { mayHaveProjectFile, PROJECT_FILE } from "./possible-project-files.ts";
import { findProjectFile } from "./project-file.ts";
import type { Config, ConfigProblem, Origin } from "./settings.ts";

/** What the operator's own file and the project's file set, by key path. */
export interface FileSettings {
  readonly own: ReadonlyMap<string, Setting>;
  readonly project: ReadonlyMap<string, Setting>;
}

export interface SettingsPlaces {
  readonly cwd: string;
  readonly home: string;
}

/** Whether there is a file with settings of the operator or the project. Reads nothing. */
export function hasFileSettings({ cwd, home }: SettingsPlaces): boolean {
  return existsSync(ownConfigFile(home)) || mayHaveProjectFile(cwd, home);
}

/** The project's file, or where one would be. */
export async function projectFileOf({ cwd, home }: SettingsPlaces): Promise<string> {
  return (await findProjectFile(cwd, home)) ?? path.join(cwd, PROJECT_FILE);
}

/** Reads both files. Everything that is wrong with them is one `Refusal`; what they may not set is logged. */
export async function readFileSettings({ cwd, home }: SettingsPlaces, log: Log): Promise<FileSettings> {
  const problems: ConfigProblem[] = [];
  const onIgnored = warnInto(log);
  const own = await readLayer(ownConfigFile(home), { followLinks: true, home, onIgnored }, problems);
  const file = await findProjectFile(cwd, home);
  const options = { followLinks: false, home, owner: "project", onIgnored } as const;
  const project = file === undefined ? [] : await readLayer(file, options, problems);
  refuseProblems(problems);
  return { own: byKey(own), project: byKey(project) };
}

function byKey(settings: readonly Setting[]): ReadonlyMap<string, Setting> {
  return new Map(settings.map((setting) => [keyPath(setting.parts), setting]));
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
