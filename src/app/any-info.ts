import { suggestNames } from "../catalog/suggest.ts";
import type { Snapshot } from "../registry/registry.ts";
import { Refusal } from "../skill/refusal.ts";
import { type LibrarySkillInfo, librarySkillInfo, libraryTarget } from "./library/library-info.ts";
import { type SkillInfo, skillInfo } from "./skill-info.ts";
import { whyNotServed } from "./why-not-served.ts";

/** What is known of one skill of any kind. */
export type AnyInfo = SkillInfo | LibrarySkillInfo;

/** By name; by path where no name fits. A name never holds a slash, so the two hardly meet. */
export async function anyInfo(snapshot: Snapshot, name: string): Promise<AnyInfo> {
  try {
    return await skillInfo(snapshot, name);
  } catch (error) {
    const skill = libraryTarget(snapshot.library, name);
    if (skill !== undefined) return librarySkillInfo(snapshot, skill);
    throw whyNotServed(error, snapshot, name.trim()) ?? withLibrarySuggestions(error, snapshot, name);
  }
}

/** A path that was mistyped is answered with the paths that are like it. */
function withLibrarySuggestions(error: unknown, { catalog, library }: Snapshot, name: string): unknown {
  if (!(error instanceof Refusal) || library.skills.size === 0) return error;
  const { code } = error.detail;
  if (code !== "unknown-skill" && code !== "invalid-name") return error;
  const known = [...catalog.entries.map((entry) => entry.listedAs), ...library.skills.keys()];
  const suggestions = suggestNames(name, known, 3);
  return new Refusal(`Skill '${name}' not found.`, { code: "unknown-skill", name, suggestions });
}
