import { LIBRARY_PROVIDER } from "#agents";
import { audienceMark, type Catalog, lookUp, pluginId, type Skill, type Snapshot } from "#skills";
import { foundSkills, skillFile } from "../mcp/client-view/found-skills.ts";

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

/** Served skills in their listing order, then the library, then what is not served but for what a filter or an approval keeps back. */
export function skillRows(snapshot: Snapshot): readonly SkillRow[] {
  const { catalog, diagnostics } = snapshot;
  const faulty = new Set(diagnostics.map((diagnostic) => diagnostic.file));
  return foundSkills(snapshot).flatMap((found): readonly SkillRow[] => {
    const { name, file = "" } = found;
    const served = faulty.has(file) ? "warning" : "ok";
    switch (found.kind) {
      case "served": {
        const { skill } = found.entry;
        const isClear = served === "warning" || !isAmbiguous(catalog, skill);
        return [rowOf(skill, name, isClear ? served : "ambiguous")];
      }
      case "library": {
        const { description, location } = found.skill;
        return [
          { name, description, provider: LIBRARY_PROVIDER, location, plugin: "", status: served, file },
        ];
      }
      case "shadowed":
        return [rowOf(found.skill, name, "shadowed")];
      case "disabled":
        return [rowOf(found.entry.skill, name, "disabled")];
      case "broken": {
        const { message: description } = found.problem;
        return [{ name, description, provider: "", location: "", plugin: "", status: "broken", file }];
      }
      default:
        return [];
    }
  });
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
