import path from "node:path";
import { foundIn, pluginId, type Skill } from "#skills";
import { escapeInvisibleCharacters, Refusal } from "#util/pure";
import { diffContent } from "./content/diff-content.ts";
import { originalsOf } from "./content/originals.ts";
import type { LockedSkill } from "./lock/lock-text.ts";
import { foreignOrigin } from "./plan/foreign-origins.ts";
import { driftOf, lockedIn, readInstalled } from "./plan/installed-skill.ts";
import { lockedAs } from "./plan/origin.ts";
import { compareFiles } from "./plan/plan.ts";
import type { InstallPlaces, Target } from "./target.ts";

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

/** Where the skills that both locks know come from, by their real folders. */
export async function lockedSources(places: InstallPlaces): Promise<ReadonlyMap<string, string>> {
  const entries = await allLocked(["project", "user"], places);
  return new Map(entries.map(({ locked, place }) => [place, locked.source]));
}

/** Where each skill is from, by its real folder: `owner/repo@1a2b3c4`, its plugin, or `local`. */
export async function skillOrigins(
  skills: readonly Pick<Skill, "realDir" | "plugin">[],
  places: InstallPlaces,
): Promise<ReadonlyMap<string, string>> {
  const warn = ({ message }: Refusal): void => places.log.warn(message);
  const entries = await allLocked(["user", "project"], places, warn);
  const origins = new Map(entries.map(({ locked, place }) => [place, lockedAs(locked)]));
  for (const { realDir, plugin } of skills) {
    if (origins.has(realDir)) continue;
    const known = plugin === undefined ? await foreignOrigin(realDir, places) : pluginId(plugin);
    origins.set(realDir, known ?? "local");
  }
  return origins;
}

export async function skillOrigin(skill: Skill, places: InstallPlaces): Promise<SkillOrigin> {
  if (skill.repo !== undefined) {
    const { url, commit } = skill.repo;
    return { kind: "repository", source: `${url}@${commit.slice(0, 7)}` };
  }
  if (skill.plugin !== undefined) return { kind: "plugin", source: pluginId(skill.plugin) };
  const own = (await allLocked(["project", "user"], places)).find(
    ({ place }) => place === skill.realDir || place === foundIn(skill),
  );
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
  const origin = { kind: "lock", source: lockedAs(locked) } as const;
  const installed = readInstalled(name, target, locked);
  if (installed.kind !== "folder") return { ...origin, state: "unknown" };
  const drift = driftOf(locked, installed.content);
  if (drift.kind === "none" || drift.kind === "disabled") return { ...origin, state: "as-installed" };
  if (own === undefined) return { ...origin, state: "edited" };
  const before = await originalsOf(places.home).load(own.files);
  const { added, changed, removed } = compareFiles(own.files, installed.digests);
  const files = [...added, ...changed, ...removed];
  if (before === undefined) return { ...origin, state: "edited", files };
  const diff = escapeInvisibleCharacters(diffContent(before, installed.content, files));
  return { ...origin, state: "edited", files, diff };
}

/** Without `onRefusal`, a lock that cannot be read has no skills; `verify` and the Sources view say what is wrong with it. */
async function allLocked(
  scopes: readonly Target["scope"][],
  places: InstallPlaces,
  onRefusal: (refusal: Refusal) => void = () => {},
) {
  const found: Awaited<ReturnType<typeof lockedIn>>[number][] = [];
  for (const scope of scopes) {
    try {
      found.push(...(await lockedIn(scope, places)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      onRefusal(error);
    }
  }
  return found;
}
