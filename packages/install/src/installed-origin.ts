import path from "node:path";
import { foundIn, pluginId, type Skill } from "#skills";
import { ownFolderIn } from "#util";
import { escapeInvisibleCharacters, Refusal } from "#util/pure";
import { diffContent } from "./content/diff-content.ts";
import { openOriginals } from "./content/originals.ts";
import { readLock } from "./lock/lock-file.ts";
import { type LockedSkill, lockedSkills } from "./lock/lock-text.ts";
import { foreignOrigin } from "./plan/foreign-origins.ts";
import { driftOf, placeOf, readInstalled } from "./plan/installed-skill.ts";
import { shownSource } from "./plan/origin.ts";
import { compareFiles } from "./plan/plan.ts";
import { type InstallPlaces, type Target, targetOf } from "./target.ts";

/** Where a skill comes from, and how it differs from what was installed. */
export interface SkillOrigin {
  /** `lock`: installed by `add`. `other`: another tool says so. */
  readonly kind: "lock" | "repository" | "plugin" | "other" | "local";
  /** `owner/repo@1a2b3c4`, an address, a plugin, or the folder. */
  readonly source: string;
  /** For `lock`: how it stands to what was installed. */
  readonly state?: "as-installed" | "edited" | "unknown";
  /** For an edited one: a unified diff against what was installed; absent when that is not stored here. */
  readonly diff?: string;
  readonly files?: readonly string[];
}

/** The skills that both locks know, by their real folders. */
export async function lockedSources(places: InstallPlaces): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const { locked, target } of await allLocked(places))
    sources.set(placeOf(locked, target), locked.source);
  return sources;
}

export async function skillOrigin(skill: Skill, places: InstallPlaces): Promise<SkillOrigin> {
  if (skill.repo !== undefined) {
    const { url, commit } = skill.repo;
    return { kind: "repository", source: `${url}@${commit.slice(0, 7)}` };
  }
  if (skill.plugin !== undefined) return { kind: "plugin", source: pluginId(skill.plugin) };
  const own = (await allLocked(places)).find(({ locked, target }) => {
    const place = placeOf(locked, target);
    return place === skill.realDir || place === foundIn(skill);
  });
  if (own !== undefined) return lockedOrigin(own.locked, own.target, places);
  const other = await foreignOrigin(skill.realDir, places);
  return other === undefined
    ? { kind: "local", source: path.dirname(foundIn(skill)) }
    : { kind: "other", source: other };
}

async function lockedOrigin(
  locked: LockedSkill,
  target: Target,
  places: InstallPlaces,
): Promise<SkillOrigin> {
  const { own, name } = locked;
  const origin = { kind: "lock", source: shownSource(locked, own?.commit, own?.version) } as const;
  const installed = readInstalled(name, target, locked);
  if (installed.kind !== "folder") return { ...origin, state: "unknown" };
  const drift = driftOf(locked, installed.content);
  if (drift.kind === "none") return { ...origin, state: "as-installed" };
  if (own === undefined) return { ...origin, state: "edited" };
  const originals = openOriginals(path.join(ownFolderIn(places.home), "originals"));
  const before = await originals.load(own.files);
  const { added, changed, removed } = compareFiles(own.files, installed.digests);
  const files = [...added, ...changed, ...removed];
  if (before === undefined) return { ...origin, state: "edited", files };
  const diff = escapeInvisibleCharacters(diffContent(before, installed.content, files));
  return { ...origin, state: "edited", files, diff };
}

interface InTarget {
  readonly locked: LockedSkill;
  readonly target: Target;
}

/** A lock that cannot be read has no skills here; `verify` and the Sources view say what is wrong with it. */
async function allLocked(places: InstallPlaces): Promise<readonly InTarget[]> {
  const found: InTarget[] = [];
  for (const scope of ["project", "user"] as const) {
    try {
      const target = await targetOf(scope, places);
      for (const locked of lockedSkills(await readLock(target.lock))) found.push({ locked, target });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return found;
}
