import { type LibrarySkillInfo, librarySkillInfo } from "#library";
import type { Diagnostic, Entry, Skill, Snapshot } from "#skills";
import { isBrokenSkill } from "#skills";
import { Refusal } from "#util/pure";
import { skillFile } from "../mcp/client-view/found-skills.ts";
import { anyInfo, infoOfEntry, type SkillInfo } from "../skill-info.ts";

/** Something that the last scan found, served or not. */
export type KnownSkill =
  | SkillInfo
  | LibrarySkillInfo
  | { readonly kind: "shadowed"; readonly info: SkillInfo; readonly shadowedBy: Entry }
  | { readonly kind: "broken"; readonly file: string; readonly diagnostics: readonly Diagnostic[] };

/** By the name that loads it, or by the path of its file, which is compared with what was found and never opened. */
export async function knownSkill(
  snapshot: Snapshot,
  wanted: { readonly name: string } | { readonly file: string },
): Promise<KnownSkill> {
  if ("name" in wanted) return anyInfo(snapshot, wanted.name);
  const { file } = wanted;
  const { catalog, disabled, library, diagnostics } = snapshot;
  const is = (skill: Skill): boolean => skillFile(skill) === file;
  for (const entry of catalog.entries) {
    if (is(entry.skill)) return infoOfEntry(snapshot, { entry, enabled: true });
    const skill = entry.shadowed.find(is);
    if (skill === undefined) continue;
    const alone: Entry = { skill, listedAs: skill.name, shadowed: [], alsoSeen: [] };
    const info = await infoOfEntry(snapshot, { entry: alone, enabled: false });
    return { kind: "shadowed", info, shadowedBy: entry };
  }
  const off = disabled.entries.find((entry) => is(entry.skill));
  if (off !== undefined) return infoOfEntry(snapshot, { entry: off, enabled: false });
  for (const skill of library.skills.values()) {
    if (skill.file === file) return librarySkillInfo(snapshot, skill);
  }
  const faults = diagnostics.filter((diagnostic) => diagnostic.file === file);
  if (faults.some(isBrokenSkill)) return { kind: "broken", file, diagnostics: faults };
  throw new Refusal(`There is no longer a skill at '${file}'.`, {
    code: "unknown-skill",
    name: file,
    suggestions: [],
  });
}
