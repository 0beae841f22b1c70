import { pluginId, type Skill } from "#skills";
import { Refusal } from "#util/pure";
import { readLock } from "./lock/lock-file.ts";
import { lockedSkills } from "./lock/lock-text.ts";
import { foreignOrigin } from "./plan/foreign-origins.ts";
import { placeOf } from "./plan/installed-skill.ts";
import { shownSource } from "./plan/origin.ts";
import { type InstallPlaces, targetOf } from "./target.ts";

/** Where each skill is from, by its real folder: `owner/repo@1a2b3c4`, its plugin, or `local`. */
export async function skillOrigins(
  skills: readonly Pick<Skill, "realDir" | "plugin">[],
  places: InstallPlaces,
): Promise<ReadonlyMap<string, string>> {
  const origins = new Map<string, string>();
  for (const scope of ["user", "project"] as const) {
    for (const [folder, origin] of await lockedOrigins(scope, places)) origins.set(folder, origin);
  }
  for (const { realDir, plugin } of skills) {
    if (origins.has(realDir)) continue;
    const known = plugin === undefined ? await foreignOrigin(realDir, places) : pluginId(plugin);
    origins.set(realDir, known ?? "local");
  }
  return origins;
}

async function lockedOrigins(
  scope: "user" | "project",
  places: InstallPlaces,
): Promise<readonly (readonly [string, string])[]> {
  try {
    const target = await targetOf(scope, places);
    return lockedSkills(await readLock(target.lock)).map((locked) => {
      const { commit, version } = locked.own ?? {};
      return [placeOf(locked, target), shownSource(locked, commit, version)] as const;
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    places.log.warn(error.message);
    return [];
  }
}
