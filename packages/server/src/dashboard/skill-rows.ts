import path from "node:path";
import { LIBRARY_PROVIDER } from "#agents";
import type { Catalog, Snapshot } from "#skills";
import { audienceMark, brokenName, lookUp, notServedAs, pluginId, type Skill } from "#skills";

/**
 * `ok`, `warning` (with a problem to fix) and `ambiguous` (only by its full name) are served. `disabled`, `shadowed`
 * (by a skill of the same identity) and `broken` are not.
 */
type RowStatus = "ok" | "warning" | "ambiguous" | "disabled" | "shadowed" | "broken";

/** One line of the list of everything that was found, whether agents see it or not. */
export interface SkillRow {
  readonly name: string;
  readonly description: string;
  /** Empty if it is not known. */
  readonly provider: string;
  readonly location: string;
  readonly plugin: string;
  readonly status: RowStatus;
  readonly file: string;
}

/** Served skills in their listing order, then the library, then what is not served. */
export function skillRows({ catalog, library, diagnostics, notServed }: Snapshot): readonly SkillRow[] {
  const faulty = new Set(diagnostics.map((diagnostic) => diagnostic.file));
  const served = catalog.entries.map(({ skill, listedAs }) => {
    const file = skillFile(skill);
    const status = faulty.has(file) ? "warning" : isAmbiguous(catalog, skill) ? "ambiguous" : "ok";
    return rowOf(skill, listedAs, status);
  });
  const ofLibrary = [...library.skills.values()].map((skill): SkillRow => {
    const { path: name, description, location, file } = skill;
    const status = faulty.has(file) ? "warning" : "ok";
    return { name, description, provider: LIBRARY_PROVIDER, location, plugin: "", status, file };
  });
  const shadowed = notServedAs(notServed, "shadowed").map(({ skill }) =>
    rowOf(skill, skill.name, "shadowed"),
  );
  const disabled = notServedAs(notServed, "disabled").map(({ entry: { skill, listedAs } }) =>
    rowOf(skill, listedAs, "disabled"),
  );
  return [...served, ...ofLibrary, ...shadowed, ...disabled, ...brokenRows(notServed)];
}

export function skillFile(skill: Skill): string {
  return path.join(skill.dir, skill.fileName);
}

function rowOf(skill: Skill, name: string, status: RowStatus): SkillRow {
  const { provider, location, plugin } = skill;
  const description = `${audienceMark(skill.invocation)}${skill.description}`;
  const id = plugin === undefined ? "" : pluginId(plugin);
  return { name, description, provider, location, plugin: id, status, file: skillFile(skill) };
}

/** Whether the short name of the entry is ambiguous. */
function isAmbiguous({ names }: Catalog, { name }: Skill): boolean {
  return lookUp(names, name).kind === "ambiguous";
}

function brokenRows(notServed: Snapshot["notServed"]): readonly SkillRow[] {
  const byFile = new Map<string, SkillRow>();
  for (const { problem } of notServedAs(notServed, "broken")) {
    const { file, message } = problem;
    if (byFile.has(file)) continue;
    const row = { description: message, provider: "", location: "", plugin: "", status: "broken" } as const;
    byFile.set(file, { ...row, name: brokenName(file), file });
  }
  return [...byFile.values()];
}
